"""Runs what build.mjs made, on an idle machine with NVIDIA GPUs: python3 measure.py [ROUNDS [SECONDS]]. Rounds take turns,
and none begins after SECONDS; the least time of each program counts, as it tells it: from the first launch to the last,
without copies of the data. The first line that a program prints is compared with the serial program's. With several
GPUs, each has examples of its own.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
end = time.time() + float(sys.argv[2] if len(sys.argv) > 2 else 600)
with open(os.path.join(here, "runs.json")) as file:
    runs = json.load(file)


def run(name, example, gpu):
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": here + ":" + os.environ.get("LD_LIBRARY_PATH", ""),
        "CUDA_VISIBLE_DEVICES": str(gpu),
        # A program that cannot use the device ends instead of running on the host.
        "OMP_TARGET_OFFLOAD": "MANDATORY",
        "ACC_DEVICE_TYPE": "nvidia",
    }
    command = [os.path.join(here, f"{example}.{name}"), *runs[example]["arguments"]]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=20)
    except subprocess.TimeoutExpired:
        return None, "more than 20 s"
    found = re.search(r"time: ([\d.]+) ms", ran.stdout)
    if ran.returncode != 0 or not found:
        return None, f"status {ran.returncode}: {ran.stderr[-300:]}"
    line = ran.stdout.split("\n")[0]
    return (float(found[1]), "") if same(line, runs[example]["result"]) else (None, f"prints {line}")


def numbers(line):
    return [float(word) for word in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", line)]


def same(line, expected):
    one, other = numbers(line), numbers(expected)
    return len(one) == len(other) and all(abs(a - b) <= 2e-5 * max(abs(a), abs(b)) for a, b in zip(one, other))


def kinds_of(example):
    names = [name[len(example) + 1 :] for name in os.listdir(here) if name.startswith(example + ".")]
    return sorted(name for name in names if not name.endswith(".c") and name != "serial")


def measure(examples, gpu):
    times = {(example, kind): [] for example in examples for kind in kinds_of(example)}
    wrong = {}
    for _ in range(rounds):
        for key in times:
            if key in wrong or time.time() > end:
                continue
            ms, why = run(key[1], key[0], gpu)
            if ms is None:
                wrong[key] = why
            else:
                times[key].append(ms)
    return times, wrong


def main():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    gpus = subprocess.run(query, capture_output=True, text=True).stdout.strip().split("\n")
    print("\n".join(gpus))
    with concurrent.futures.ThreadPoolExecutor(len(gpus)) as pool:
        parts = [(list(runs)[i :: len(gpus)], i) for i in range(len(gpus))]
        measured = list(pool.map(lambda part: measure(*part), parts))
    for example in runs:
        print(f"{example} {' '.join(runs[example]['arguments'])}: {runs[example]['result']}")
        for times, wrong in measured:
            for (of, kind), list_ in times.items():
                if of != example:
                    continue
                said = f"{min(list_):10.3f}  all: {' '.join(f'{t:.3f}' for t in list_)}" if list_ else "not run"
                print(f"  {kind:20} {wrong.get((of, kind)) or said}")


main()
