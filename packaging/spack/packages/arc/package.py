# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *


class Arc(Package):
    """Compiles C with OpenACC or OpenMP directives for GPUs and FPGAs, and builds it incrementally with a
    content-addressed cache."""

    url = "https://registry.npmjs.org/@arc-compiler/arc/-/arc-0.2.0.tgz"

    license("Apache-2.0")

    # No version is published yet: add its checksum by `spack checksum arc`.
    version("0.2.0", expand=False)

    variant("rtl", default=False, description="Open tools for the target kind rtl")

    depends_on("node-js@20.11:", type=("build", "run"))
    depends_on("npm", type="build")
    depends_on("c", type=("build", "run"))
    depends_on("yosys", type="run", when="+rtl")
    depends_on("verilator", type="run", when="+rtl")

    def install(self, spec, prefix):
        npm = which("npm", required=True)
        npm("install", "--global", f"--prefix={prefix}", "--offline", self.stage.archive_file)
