# A front end: docker build -f deploy/docker/frontend.Dockerfile --build-arg FRONTEND=mfe-chat .
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contracts/package.json packages/contracts/
COPY packages/stack/package.json packages/stack/
# A layer that all front ends share. npm ci rejects a lock file without the packages of other platforms; npm install uses
# the same versions.
RUN --mount=type=cache,target=/root/.npm \
    npm ci -w @messageoh/stack --loglevel=error >/tmp/npm-ci.log 2>&1 \
    || npm install --no-save -w @messageoh/stack --loglevel=error
ARG FRONTEND
COPY packages/ui-kit/package.json packages/ui-kit/
COPY ${FRONTEND}/package.json ${FRONTEND}/
RUN --mount=type=cache,target=/root/.npm npm install --no-save -w @messageoh/stack -w "$FRONTEND" --loglevel=error
COPY packages/contracts packages/contracts
COPY packages/ui-kit packages/ui-kit
COPY packages/stack/src/frontends packages/stack/src/frontends
COPY ${FRONTEND} ${FRONTEND}
RUN NODE_ENV=production npm run build -w "$FRONTEND" -- --mode production

# Publishes the release into the folder that the gateway serves, then exits.
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json ./
COPY packages/stack/package.json packages/stack/
COPY packages/stack/src/command packages/stack/src/command
COPY packages/stack/src/releases packages/stack/src/releases
ARG FRONTEND
COPY ${FRONTEND}/package.json ${FRONTEND}/
# Commit in the name of the release.
ARG RELEASE_COMMIT=
ENV FRONTEND=$FRONTEND RELEASE_COMMIT=$RELEASE_COMMIT
COPY --from=build /app/${FRONTEND}/dist ${FRONTEND}/dist
# A new volume gets the owner of this folder.
RUN install -d -o node -g node /var/www/messageoh
VOLUME /var/www/messageoh
USER node
HEALTHCHECK NONE
CMD ["sh", "-c", "exec node packages/stack/src/releases/publishImage.ts \"$FRONTEND\" /var/www/messageoh"]
