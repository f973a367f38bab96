// Names with letters that kernel languages do not have: of functions, variables, types, members and labels.
// arc: items>1
#include "check.h"

struct Größe {
  double höhe;
  int \u00fcber;
  unsigned bität : 5;
};
typedef struct Größe Maß;
enum Farbe { ROT, GRÜN = 4 };
union Ω {
  float φ;
  unsigned u;
};

static int zähler;
static const int tafel_é[3] = {5, 6, 7};
#pragma acc declare create(zähler) copyin(tafel_é)

static double größter(double α, double β) { return α > β ? α : β; }

static double fläche(struct Größe *s, int n) {
  double Σ = 0, μ = 0;
  int x_u00e4 = 1, xä = 2;
#pragma acc parallel loop copy(s[0:n]) reduction(+:Σ) reduction(max:μ)
  for (int ι = 0; ι < n; ι++) {
    double τ = s[ι].höhe * 3;
    union Ω w = {.φ = ι};
    Σ += τ + x_u00e4 * 10 + xä + (w.u >> 20);
    μ = größter(μ, τ + s[ι].über);
    s[ι].über -= 1;
    s[ι].bität += GRÜN;
    if (ι % 7 == 3)
      goto fertig_ä;
    s[ι].höhe += tafel_é[ι % 3];
  fertig_ä:;
  }
  return Σ + μ;
}

int main(void) {
  Maß s[40];
  for (int i = 0; i < 40; i++) {
    s[i].höhe = i % 13;
    s[i].über = i;
    s[i].bität = i % 32;
  }
  zähler = 3;
#pragma acc update device(zähler)
  double sum = 0;
  for (int i = 0; i < 40; i++) {
    union Ω w = {.φ = i};
    sum += s[i].höhe * 3 + 12 + (w.u >> 20);
  }
  NEAR(fläche(s, 40), sum + 38 + 36, 1e-9);
  EXPECT(s[5].über, 4);
  NEAR(s[6].höhe, 6 + 5, 0);
  NEAR(s[10].höhe, 10, 0);
  EXPECT(s[9].bität, 13);

  int größe[4] = {0};
#pragma acc parallel loop copy(größe) present(zähler)
  for (int i = 0; i < 4; i++)
    größe[i] = i * zähler;
  for (int i = 0; i < 4; i++)
    EXPECT_AT(i, größe[i], i * 3);
  return report();
}
