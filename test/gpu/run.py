#!/usr/bin/env python3
"""run.py FOLDER [WORD...]: compiles and runs what pack.sh wrote, on this machine's GPU.

Every program whose name holds one of the words (all without any) is compiled with gcc, its CUDA kernels
with nvcc, and run through CUDA and through NVIDIA's OpenCL (ARC_BACKENDS and ARC_OPENCL_PLATFORM choose others; ARC_SANITIZER=COMMAND runs
the programs under a tool). A program that returns 0 has checked its own
results. Prints failures, bench output and a line of counts; writes times.json beside the programs.
"""
import json, os, re, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root = Path(sys.argv[1]).resolve()
words = sys.argv[2:]
runtime = root / "runtime"
backends = os.environ.get("ARC_BACKENDS", "cuda opencl").split()
arch = os.environ.get("ARC_CUDA_ARCH", "sm_90")
# As in ARC_SANITIZER="compute-sanitizer --tool racecheck --error-exitcode 9": programs run under it.
sanitizer = os.environ.get("ARC_SANITIZER", "").split()


def call(*args, **kw):
    return subprocess.run([str(a) for a in args], capture_output=True, text=True, **kw)


def library():
    build = root / "build"
    build.mkdir(exist_ok=True)

    def one(source):
        obj = build / f"{source.parent.name}-{source.stem}.o"
        r = call("gcc", "-std=gnu11", "-O2", f"-I{runtime}/include", f"-I{runtime}/src", "-c", source, "-o", obj)
        assert r.returncode == 0, r.stderr
        return obj

    sources = sorted((runtime / "src").glob("**/*.c"))
    with ThreadPoolExecutor(16) as pool:
        objects = list(pool.map(one, sources))
    call("ar", "rcs", build / "libarcrt.a", *objects)
    return build / "libarcrt.a"


def image(path, backend, options, manifest, kind, payload):
    head = f"arc-image 1\nbackend {backend}\ntarget {backend}\nvariant default\noptions {options}\n"
    path.write_bytes((head + manifest + f"payload {kind} {len(payload)}\nend\n").encode() + payload)


def build(folder, lib):
    exe = folder / "exe"
    include = f"-I{root}/include/{json.loads((folder / 'program.json').read_text())['include']}"
    r = call("gcc", "-O2", "-w", "-D_OPENACC=202211", f"-I{runtime}/include", include, *folder.glob("host*.c"), "-o", exe, lib, "-lm", "-ldl", "-lpthread", "-fopenmp")
    if r.returncode:
        return f"gcc: {r.stderr[:300]}"
    for backend in ("cuda", "opencl"):
        (folder / backend).mkdir(exist_ok=True)
    for text in folder.glob("*.cu") if "cuda" in backends else []:
        cubin = text.with_suffix(".cubin")
        # Made elsewhere: most of the time goes there.
        if not cubin.exists():
            r = call("nvcc", f"-arch={arch}", "-O3", "-w", "-cubin", text, "-o", cubin)
            if r.returncode:
                return f"nvcc: {(r.stderr + r.stdout)[:300]}"
        image(folder / "cuda" / f"{text.stem}.arci", "cuda", "", Path(f"{text}.manifest").read_text(), "cubin", cubin.read_bytes())
    for text in folder.glob("*.cl"):
        image(folder / "opencl" / f"{text.stem}.arci", "opencl", "-cl-std=CL1.2", Path(f"{text}.manifest").read_text(), "source", text.read_bytes())
    return None


def run(folder, backend, args, aborts, prints):
    env = dict(os.environ, ARC_IMAGES=str(folder / backend), ARC_TARGET=backend, ARC_OPENCL_PLATFORM=os.environ.get("ARC_OPENCL_PLATFORM", "NVIDIA"))
    start = time.time()
    try:
        r = call(*sanitizer, folder / "exe", *args, env=env, cwd=folder, timeout=300 if sanitizer else 120)
    except subprocess.TimeoutExpired:
        return "timed out", "", 120.0
    good = r.returncode == 0 if aborts is None else r.returncode != 0 and aborts in r.stderr
    problem = None if good else f"exit {r.returncode}: {(r.stderr + r.stdout).strip()[:300]}"
    for text in prints:
        if problem is None and text not in r.stdout:
            problem = f"'{text}' is not in what it printed: {r.stdout.strip()[:300]}"
    return problem, r.stdout, time.time() - start


def main():
    lib = library()
    programs = [p.parent for p in sorted(root.glob("*/*/program.json"))]
    programs = [p for p in programs if not words or any(w in str(p.relative_to(root)) for w in words)]
    with ThreadPoolExecutor(16) as pool:
        built = dict(zip(programs, pool.map(lambda p: build(p, lib), programs)))
    times, counts = {}, {}

    def count(key):
        counts[key] = counts.get(key, 0) + 1

    todo = []
    for p in programs:
        info = json.loads((p / "program.json").read_text())
        if built[p]:
            print(f"FAIL {p.relative_to(root)} build: {built[p]}", flush=True)
            count("not built")
            continue
        todo += [(p, backend, args, info) for backend in backends for args in info["runs"]]
    # Several at once: most of a run is the driver's start. Those that print times run alone, before the others.
    alone = [t for t in todo if not str(t[0].relative_to(root)).startswith(("acc/", "combinations/", "random/"))]
    others = [t for t in todo if t not in alone]
    start = lambda t: run(t[0], t[1], t[2], t[3].get("aborts"), t[3]["prints"])

    def tell(ran, results):
        for (p, backend, _, _), (problem, out, seconds) in zip(ran, results):
            name = str(p.relative_to(root))
            times[f"{name} {backend}"] = round(seconds, 3)
            count(f"{backend} {'failed' if problem else 'passed'}")
            if problem:
                print(f"FAIL {name} {backend}: {problem}", flush=True)
            elif name.startswith(("examples/", "bench/")):
                print(f"{name} {backend}: " + " | ".join(out.strip().split("\n")[-4:]), flush=True)

    tell(alone, map(start, alone))
    with ThreadPoolExecutor(int(os.environ.get("ARC_JOBS", "8"))) as pool:
        tell(others, pool.map(start, others))
    (root / "times.json").write_text(json.dumps(times, indent=1))
    print(counts)


main()
