# versitygw, an S3 server that stores objects in a folder: docker build -f deploy/docker/s3.Dockerfile deploy/docker
FROM golang:1.26-bookworm AS build
RUN CGO_ENABLED=0 GOBIN=/out go install -ldflags "-s -w" github.com/versity/versitygw/cmd/versitygw@v1.8.0

FROM debian:bookworm-slim
COPY --from=build /out/versitygw /usr/local/bin/
# A new volume gets the owner of this folder.
RUN install -d -o 1000 -g 1000 /data
VOLUME /data
USER 1000:1000
EXPOSE 7070
HEALTHCHECK NONE
CMD ["versitygw", "--quiet", "--keep-alive", "--port", ":7070", "posix", "/data"]
