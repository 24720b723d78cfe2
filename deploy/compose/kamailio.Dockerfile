# Kamailio of Debian. Its configuration comes from `sipgraph kamailio config`.
FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends kamailio kamailio-mysql-modules kamailio-tls-modules \
 && rm -rf /var/lib/apt/lists/*
USER 1000:1000
CMD ["kamailio", "-f", "/config/kamailio.cfg", "-m", "256", "-M", "32", "-Y", "/run/kamailio", "-w", "/run/kamailio", "-DD", "-E"]
