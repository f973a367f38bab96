// Reductions of structs, and of arrays of structs, apply to each member.
// arc: gcc-cannot reduce a struct
#include <stdio.h>
#include <stdlib.h>
struct stats { long n; double sum, lo, hi; };
struct hist { int bin[8]; struct { float w; unsigned mask; } in; };
typedef struct { float x, y, z; } vec3;
static struct stats glob;
int main(void){ int N=700; double *a=malloc(N*8); for(int i=0;i<N;i++) a[i]=(i*37)%101;
  struct hist h={{0}}; struct hist hh[3]={{{0}}};
  /* gang loop and vector loop both reduce */
  #pragma acc parallel loop gang reduction(+:h) copyin(a[0:N])
  for(int g=0;g<7;g++){
    #pragma acc loop vector reduction(+:h)
    for(int i=0;i<100;i++){ h.bin[(int)a[g*100+i]&7]++; h.in.w+=.5f; h.in.mask+=g; }
  }
  for(int k=0;k<8;k++) printf("%d ",h.bin[k]);
  printf("%g %u\n",h.in.w,h.in.mask);
  /* private to the gang, reduced by lanes */
  static struct stats out[7];
  #pragma acc parallel loop gang copyin(a[0:N]) copyout(out)
  for(int g=0;g<7;g++){ struct stats s={0,0,0,0};
    #pragma acc loop vector reduction(+:s)
    for(int i=0;i<100;i++){ s.n++; s.sum+=a[g*100+i]; if (a[g*100+i]>50) s.hi+=1; }
    out[g]=s; }
  for(int g=0;g<7;g++) printf("%ld %g %g;",out[g].n,out[g].sum,out[g].hi);
  puts("");
  /* worker */
  #pragma acc parallel loop gang num_workers(4) vector_length(8) copyin(a[0:N]) copyout(out)
  for(int g=0;g<7;g++){ struct stats s={1,1,1,1};
    #pragma acc loop worker vector reduction(max:s)
    for(int i=0;i<100;i++){ s.n=s.n>i?s.n:i; if (a[g*100+i]>s.sum) s.sum=a[g*100+i]; }
    out[g]=s; }
  for(int g=0;g<7;g++) printf("%ld %g;",out[g].n,out[g].sum);
  puts("");
  /* global struct, kernels */
  glob.sum=3;
  #pragma acc kernels loop independent reduction(+:glob) copyin(a[0:N])
  for(int i=0;i<N;i++){ glob.sum+=a[i]; glob.n+=1; }
  printf("%ld %g\n",glob.n,glob.sum);
  #pragma acc parallel reduction(+:hh) copyin(a[0:N])
  {
    #pragma acc loop gang vector
    for(int i=0;i<N;i++) { hh[i%3].bin[i&7]+=2; hh[1].in.mask+=1; }
  }
  printf("%d %d %u\n",hh[0].bin[1],hh[2].bin[7],hh[1].in.mask);
  vec3 f={0,0,0}, *pf=malloc(2*sizeof *pf); pf[0]=pf[1]=f;
  #pragma acc data copy(f,pf[0:2])
  {
  #pragma acc parallel loop reduction(+:f) present(f)
  for(int i=0;i<N;i++){ f.x+=i; f.y-=1; f.z+=2.f; }
  #pragma acc parallel loop reduction(+:pf[0:2])
  for(int i=0;i<N;i++){ pf[i&1].x+=i; pf[0].y-=1; }
  }
  printf("%g %g %g %g %g\n",f.x,f.y,f.z,pf[1].x,pf[0].y);
  #pragma acc serial loop reduction(+:f)
  for(int i=0;i<N;i++){ f.x+=1; f.y=f.x; }
  printf("%g %g\n",f.x,f.y);
  return 0; }
