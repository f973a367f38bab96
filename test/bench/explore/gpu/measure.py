"""Runs the program of every design of a space for GPUs, and says how long a launch took by the device's events and what
power was meanwhile. Needs NVML and an idle NVIDIA GPU; takes about two seconds for each design.

    cd test/bench/explore/gpu/NAME
    arc build -k $(arc report 'gpu:*' --json | python3 ../measure.py --designs)     # after: arc build 'gpu:*#kernels'
    arc report 'gpu:*' --json | python3 ../measure.py FILE.jsonl PROGRAM ARGUMENT...

Lines are appended to FILE.jsonl, and designs that it has are left out, so that a stop loses nothing. table.mjs makes a
table of it. The program prints a line that is the same for all variants, and `busy: BEGIN END` in seconds of the clock.
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

INSTANT_POWER = 186  # NVML_FI_DEV_POWER_INSTANT


class Field(ctypes.Structure):
    _fields_ = [
        ("id", ctypes.c_uint),
        ("scope", ctypes.c_uint),
        ("timestamp", ctypes.c_longlong),
        ("latency", ctypes.c_longlong),
        ("type", ctypes.c_int),
        ("status", ctypes.c_int),
        ("value", ctypes.c_uint64),
    ]


class Meter:
    """Time, average and instant power in mW, energy in mJ: rows of each moment at which one changed."""

    def __init__(self):
        self.nvml = ctypes.CDLL("libnvidia-ml.so.1")
        self.device = ctypes.c_void_p()
        if self.nvml.nvmlInit_v2() or self.nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device)):
            raise SystemExit("NVML has no device")

    def read(self):
        power, energy, field = ctypes.c_uint(), ctypes.c_ulonglong(), Field(id=INSTANT_POWER)
        has_power = self.nvml.nvmlDeviceGetPowerUsage(self.device, ctypes.byref(power)) == 0
        has_energy = self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.device, ctypes.byref(energy)) == 0
        has_field = self.nvml.nvmlDeviceGetFieldValues(self.device, 1, ctypes.byref(field)) == 0 and field.status == 0
        return [
            round(time.time(), 4),
            power.value if has_power else None,
            field.value & 0xFFFFFFFF if has_field else None,
            energy.value if has_energy else None,
        ]

    def follow(self, stop, rows):
        while not stop.wait(0.004):
            row = self.read()
            if not rows or row[1:] != rows[-1][1:]:
                rows.append(row)


def measured(meter, one, program, arguments):
    stop, samples = threading.Event(), []
    thread = threading.Thread(target=meter.follow, args=(stop, samples))
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile.json")
        environment = {**os.environ, "ARC_TARGET": one["address"], "ARC_PROFILE": profile, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
        thread.start()
        ran = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)
        stop.set()
        thread.join()
        row = {"id": one["address"], "axes": one["axes"], "status": ran.returncode}
        if ran.returncode != 0:
            return {**row, "error": ran.stderr[-400:]}
        with open(profile) as file:
            launches = [line for line in json.load(file)["rows"] if line["kind"] == "launch"]
    result, busy = ran.stdout.split("\n")[:2]
    return {
        **row,
        "result": result,
        "busy": [float(word) for word in busy.split()[1:]],
        "launches": [{"count": line["count"], "seconds": line["seconds"]} for line in launches],
        "samples": samples,
    }


def main():
    designs = [one for one in json.load(sys.stdin)["variants"] if "sameDesign" not in one]
    if sys.argv[1] == "--designs":
        print(" ".join(one["address"] for one in designs))
        return
    out, name, *arguments = sys.argv[1:]
    known = set()
    if os.path.exists(out):
        with open(out) as file:
            known = {json.loads(line)["id"] for line in file}
    meter = Meter()
    with open(out, "a") as file:
        for one in designs:
            if one["address"] in known:
                continue
            program = os.path.join("out", *one["address"].split(":"), name)
            file.write(json.dumps(measured(meter, one, program, arguments)) + "\n")
            file.flush()


main()
