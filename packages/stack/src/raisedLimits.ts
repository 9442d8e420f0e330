/** Raised rate limits for tests, chaos, screenshots and benchmarks, whose users share an address or send without pauses. */
export const RAISED_LIMITS = {
  HASHES_WAITING_MAX: "10000",
  LIMIT_LOGINS_PER_ADDRESS: "1000000/1",
  LIMIT_FAILED_LOGINS_PER_ADDRESS: "1000000/1",
  LIMIT_READS_PER_USER: "1000000/1",
  LIMIT_CHANGES_PER_USER: "1000000/1",
  LIMIT_ADDED_FRIENDS_PER_USER: "1000000/1",
  LIMIT_REGISTRATIONS_PER_ADDRESS: "1000000/1",
  LIMIT_SENDS_PER_USER: "1000000/1",
  LIMIT_DAILY_BYTES_PER_USER: "1000000000000/86400",
  LIMIT_EVENTS_PER_USER: "1000000/1",
  LIMIT_ROOMS_PER_USER: "1000000/1",
  LIMIT_FRIEND_EVENTS_PER_USER: "1000000/1",
  LIMIT_DELIVERIES_PER_USER: "1000000/1",
  LIMIT_TYPING_PER_USER: "1000000/1",
  CONNECTIONS_PER_USER_MAX: "100000",
  CONNECTIONS_PER_ADDRESS_MAX: "100000",
  LIMIT_SEARCHES_PER_USER: "1000000/1",
  LIMIT_MESSAGE_READS_PER_USER: "1000000/1",
  LIMIT_MESSAGE_LISTS_PER_USER: "1000000/1",
  LIMIT_THREAD_LISTS_PER_USER: "1000000/1",
  LIMIT_MESSAGE_SEARCHES_PER_USER: "1000000/1",
  LIMIT_MESSAGE_CHANGES_PER_USER: "1000000/1",
  LIMIT_MARKERS_PER_USER: "1000000/1",
  LIMIT_UPLOADS_PER_USER: "1000000/1",
  LIMIT_UPLOAD_PARTS_PER_USER: "1000000/1",
  LIMIT_UPLOAD_BYTES_PER_USER: "1000000000000/86400",
  LIMIT_MEDIA_READS_PER_USER: "1000000/1",
  LIMIT_MEDIA_EXPORTS_PER_USER: "1000000/1",
  LIMIT_MEDIA_SUMS_PER_USER: "1000000/1",
  LIMIT_LINK_PREVIEWS_PER_USER: "1000000/1",
};

/** The gateway's limits.conf for the same stacks. */
export const RAISED_GATEWAY_LIMITS = `
limit_conn_zone $limit_address zone=connections:10m;
limit_conn connections 60000;
limit_conn_zone "" zone=uploads:32k;
limit_conn_zone "" zone=responses:32k;
limit_req_zone $limit_address zone=files:10m rate=100000r/s;
limit_req_zone "" zone=unlimited:32k rate=1r/s;
limit_req_zone $limit_address zone=calls:10m rate=100000r/s;
limit_req_zone $limit_address zone=logins:10m rate=100000r/s;
limit_req_zone $handshake_address zone=handshakes:10m rate=100000r/s;
limit_req_zone $limit_address zone=reports:10m rate=100000r/s;
limit_req_zone $server_port zone=all_reports:64k rate=100000r/s;
`;
