# Builds sim-runner, then copies it into an image without Swift:
#
#   docker build -t wristwire . && docker run --rm -v "$PWD:/work" wristwire run scenarios/demo.json5
#
# The two stages have the same Debian: a program built with a newer C library does not start with an older one.
FROM swift:6.3-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update -qq \
    && apt-get install -yqq --no-install-recommends libsqlite3-dev make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN make install PREFIX=/opt/wristwire

# sim-runner with Swift and this checkout, for apps of your own: `deploy/wristwire` builds and runs it.
FROM swift:6.3-bookworm AS app
# hadolint ignore=DL3008
RUN apt-get update -qq \
    && apt-get install -yqq --no-install-recommends libsqlite3-dev make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/wristwire
COPY . .
ARG CONFIGURATION=release
RUN swift build -c "$CONFIGURATION" --product sim-runner \
    && swift build -c "$CONFIGURATION" --product VirtualTime \
    && mkdir bin \
    && cp ".build/$CONFIGURATION/sim-runner" ".build/$CONFIGURATION/libVirtualTime.so" bin/ \
    && rm -rf .build
ENV PATH=/opt/wristwire/bin:$PATH HOME=/tmp
CMD ["sim-runner", "--help"]

FROM debian:12-slim
# hadolint ignore=DL3008
RUN apt-get update -qq \
    && apt-get install -yqq --no-install-recommends libsqlite3-0 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 runner
COPY --from=build /opt/wristwire /opt/wristwire
ENV PATH=/opt/wristwire/bin:$PATH
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["sim-runner"]
CMD ["--help"]
