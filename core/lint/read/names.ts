/** Names of directives, to tell where a name ends and its clauses begin. OpenMP 5.2, OpenACC 3.3. */

const omp = `
atomic
barrier
begin assumes
begin declare target
begin declare variant
assume
assumes
cancel
cancellation point
critical
declare mapper
declare reduction
declare simd
declare target
declare variant
depobj
dispatch
distribute
distribute parallel for
distribute parallel for simd
distribute simd
end assumes
end declare target
end declare variant
error
flush
for
for simd
interop
loop
masked
masked taskloop
masked taskloop simd
master
master taskloop
master taskloop simd
metadirective
nothing
ordered
parallel
parallel for
parallel for simd
parallel loop
parallel masked
parallel masked taskloop
parallel masked taskloop simd
parallel master
parallel master taskloop
parallel master taskloop simd
parallel sections
requires
scan
scope
section
sections
shuffle down
shuffle sync
shuffle up
shuffle xor
simd
single
target
target data
target enter data
target exit data
target parallel
target parallel for
target parallel for simd
target parallel loop
target simd
target teams
target teams distribute
target teams distribute parallel for
target teams distribute parallel for simd
target teams distribute simd
target teams loop
target update
task
taskgroup
taskloop
taskloop simd
taskwait
taskyield
teams
teams distribute
teams distribute parallel for
teams distribute parallel for simd
teams distribute simd
teams loop
threadprivate
tile
unroll
`;

const acc = `
atomic
cache
data
declare
enter data
exit data
host_data
init
kernels
kernels loop
loop
parallel
parallel loop
routine
serial
serial loop
set
shutdown
update
wait
`;

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split("\n"));

export const directiveNames = { omp: list(omp), acc: list(acc) } as const;

export type Language = keyof typeof directiveNames;

/** The longest name, in words. */
export const mostWords = 7;
