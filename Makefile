# The two main commands are `make run` and `make test`. Both install what is missing first; `make help` lists the rest.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build run test lint format bench allocations docs docs-site static install dist clean

RUNNER := .build/release/sim-runner
# A program for machines without Swift: the runtime is linked in, and none is searched for in the folder of the compiler.
STATIC := --static-swift-stdlib --scratch-path .build-static -Xswiftc -no-toolchain-stdlib-rpath -Xlinker -L$(CURDIR)/.build-static/gcc
# Prints the path of an archive of GCC's; the linker finds the archives before the shared libraries.
ARCHIVE := $(firstword $(shell command -v gcc clang)) -print-file-name
# Where `make install` puts the program; DESTDIR goes before it.
PREFIX ?= /usr/local
# What `sim-runner --version` of a package names: twelve digits, and -dirty where the sources have changed since. Other
# builds leave it out: with each new commit, the largest module would be compiled again.
static dist install: export WRISTWIRE_COMMIT ?= $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)
# On a terminal the build shows its progress; otherwise errors only.
QUIET := $(if $(MAKE_TERMOUT),,--quiet)

# Filters the test runner's output: leaves out started and passed tests, keeps the summary. A test's argument may have several lines.
FAILURES := /^(✘|✔|➜|↳)/ { skips = 0 } skips || /^◇/ { skips = !/started\.$$/; next } /^✔/ && !/^✔ Test run with/ { next } { print; fflush() }

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## installs what is missing on this machine, or names it
	@scripts/setup

build: setup ## builds sim-runner and its helper programs for release: .build/release
	@echo "Building sim-runner (release; the first time takes a few minutes) ..."
	@swift build -c release --product sim-runner $(QUIET)
	@swift build -c release --product sim-runner-proxy $(QUIET)
	@swift build -c release --product VirtualTime $(QUIET)

run: setup ## runs the demo: a 5 km run whose link breaks
	@echo "Building sim-runner for the demo (debug, a few minutes the first time) ..."
	@scripts/build-progress --product sim-runner
	@.build/debug/sim-runner

test: setup ## builds and runs all tests
	@echo "Building all tests (debug; the first time takes a few minutes) ..."
	@swift build --build-tests $(QUIET)
	@echo "Running all tests; passed tests are not listed ..."
	@scripts/test 2>&1 | awk '$(FAILURES)'

lint: ## reports where the sources differ from the house format
	@swift format lint --strict -r Sources Tests Benchmarks Package.swift

format: ## brings the sources into the house format
	@swift format -i -r Sources Tests Benchmarks Package.swift

bench: setup ## measures the simulator against real time: ARGS="--quick --only hour --peers DIR --json"
	@scripts/bench $(ARGS)

allocations: ## counts heap allocations of a simulated hour (needs valgrind)
	@scripts/allocations

docs: build ## writes the reference pages in docs/ from the catalogues
	@$(RUNNER) docs

docs-site: ## renders docs/ as static HTML with search: out/site
	@scripts/docs-site

static: setup ## builds a program that needs no Swift on the machine: .build-static/release
	@echo "Building sim-runner with the Swift runtime in it (a few minutes) ..."
	@mkdir -p .build-static/gcc
	@ln -sf "$$($(ARCHIVE)=libstdc++.a)" .build-static/gcc/libstdc++.a
	@ln -sf "$$($(ARCHIVE)=libgcc_eh.a)" .build-static/gcc/libgcc_s.a
	@swift build -c release $(STATIC) --product sim-runner $(QUIET)
	@swift build -c release $(STATIC) --product VirtualTime $(QUIET)

install: static ## installs the program, manual pages and completions: PREFIX=/usr/local
	@DESTDIR="$(DESTDIR)" scripts/install "$(PREFIX)"

dist: static ## makes a Debian package and a tar ball: out/dist
	@scripts/dist

clean: ## removes all build products
	@rm -rf .build .build-static out
