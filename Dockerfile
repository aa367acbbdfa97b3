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
