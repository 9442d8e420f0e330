const RAISED = `
  LOGINS_PER_ADDRESS FAILED_LOGINS_PER_ADDRESS READS_PER_USER CHANGES_PER_USER ADDED_FRIENDS_PER_USER
  REGISTRATIONS_PER_ADDRESS SENDS_PER_USER EVENTS_PER_USER ROOMS_PER_USER FRIEND_EVENTS_PER_USER
  DELIVERIES_PER_USER TYPING_PER_USER SEARCHES_PER_USER MESSAGE_READS_PER_USER MESSAGE_LISTS_PER_USER
  THREAD_LISTS_PER_USER MESSAGE_SEARCHES_PER_USER MESSAGE_CHANGES_PER_USER MARKERS_PER_USER UPLOADS_PER_USER
  UPLOAD_PARTS_PER_USER MEDIA_READS_PER_USER MEDIA_EXPORTS_PER_USER MEDIA_SUMS_PER_USER LINK_PREVIEWS_PER_USER
`;

/**
 * Raised rate limits for tests, chaos, screenshots and benchmarks, whose users share an address or send without pauses.
 */
export const RAISED_LIMITS = {
  ...Object.fromEntries(
    RAISED.trim()
      .split(/\s+/)
      .map((name) => [`LIMIT_${name}`, "1000000/1"]),
  ),
  LIMIT_DAILY_BYTES_PER_USER: "1000000000000/86400",
  LIMIT_UPLOAD_BYTES_PER_USER: "1000000000000/86400",
  HASHES_WAITING_MAX: "10000",
  CONNECTIONS_PER_USER_MAX: "100000",
  CONNECTIONS_PER_ADDRESS_MAX: "100000",
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
