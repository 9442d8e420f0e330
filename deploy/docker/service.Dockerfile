# A service: docker build -f deploy/docker/service.Dockerfile --build-arg SERVICE=svc-users .
FROM node:24-bookworm-slim AS dependencies
ARG SERVICE
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contracts/package.json packages/contracts/
COPY packages/service-kit/package.json packages/service-kit/
COPY ${SERVICE}/package.json ${SERVICE}/
# npm ci rejects a lock file without the packages of other platforms; npm install uses the same versions.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev -w "$SERVICE" --loglevel=error >/tmp/npm-ci.log 2>&1 \
    || npm install --no-save --omit=dev -w "$SERVICE" --loglevel=error

FROM node:24-bookworm-slim
ARG SERVICE
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=dependencies /app ./
COPY packages/contracts packages/contracts
COPY packages/service-kit packages/service-kit
COPY ${SERVICE} ${SERVICE}
WORKDIR /app/${SERVICE}
# A new volume gets the owner of this folder, in which svc-media stores files.
RUN install -d -o node -g node /var/lib/messageoh/media
USER node
EXPOSE 3000
# A service waits for its dependencies, which may take minutes on a busy machine.
HEALTHCHECK --interval=10s --timeout=5s --start-period=180s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The start script without npm, which does not forward signals.
CMD ["sh", "-c", "exec $(node -p 'require(\"./package.json\").scripts.start')"]
