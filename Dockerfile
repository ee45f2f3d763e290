# The program with a browser and fonts, for a user without rights. From the repository, after tools/release.sh:
#   docker build -t browser-runner .
#   docker run --rm -v "$PWD:/work" --security-opt seccomp=unconfined browser-runner shot https://example.org --temp-profile -o page.png
FROM debian:bookworm-slim

# Without a display Chrome needs neither Mesa with its compiler, on which only x11-utils depends here, nor layers for Vulkan.
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends chromium-headless-shell ca-certificates fonts-liberation \
       fonts-noto-color-emoji tini \
    && dpkg --purge --force-depends x11-utils libgl1 libglx0 libglx-mesa0 libgl1-mesa-dri libllvm15 libz3-4 libxml2 libicu72 \
       usrmerge libfile-find-rule-perl libnumber-compare-perl libtext-glob-perl perl libperl5.36 perl-modules-5.36 \
    && rm -rf /usr/lib/chromium/libVkLayer_* /usr/lib/chromium/libVkICD_* /var/lib/apt/lists/* /var/cache/apt/* \
       /var/log/* /usr/share/doc/* /usr/share/man/* /usr/share/locale/* \
    && ! ldd /usr/lib/chromium/chromium-headless-shell | grep 'not found'

ADD build/dist/browser-runner-*-linux-x86_64.tar.gz /opt/
RUN ln -s /opt/browser-runner-*/bin/browser-runner /usr/bin/browser-runner && install -d -m 1777 /work

# Works with any user and a root that is read-only: --read-only --tmpfs /tmp --user 1000.
ENV HOME=/tmp LANG=C.UTF-8
USER 65534:65534
WORKDIR /work

# Only servers have a health: what is not one is always well.
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["browser-runner-health"]
COPY docker/health.sh /usr/bin/browser-runner-health

# tini waits for the processes that a browser leaves behind, and passes signals on.
ENTRYPOINT ["tini", "--", "browser-runner"]
CMD ["--help"]
