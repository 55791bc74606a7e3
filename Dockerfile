# The laboratory in a container: the same commands as by hand on Debian.
FROM debian:12-slim
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv bubblewrap \
    && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml README.md LICENSE /opt/mensura/source/
COPY src /opt/mensura/source/src
RUN python3 -m venv /opt/mensura/venv \
    && /opt/mensura/venv/bin/pip install --quiet "/opt/mensura/source[analogy,constraints,crisis,detection,gym,\
lambda-star,llm,mcp,pagi-world,postgres,puzzles,task-environments]" \
    && rm -rf /opt/mensura/source
RUN useradd --create-home --home-dir /var/lib/mensura mensura
USER mensura
WORKDIR /var/lib/mensura
ENV PATH=/opt/mensura/venv/bin:$PATH MENSURA_KEY_FILE=/var/lib/mensura/store.key
EXPOSE 8000
CMD ["mensura", "serve", "--host", "0.0.0.0"]
