/**
 * Settings for stacks on which many users come from one address or write as fast as they can: tests, chaos, screenshots
 * and benchmarks. Here and nowhere else, so that everything else meets the limits that people meet.
 */
export const RAISED_LIMITS = {
  HASHES_WAITING_MAX: "10000",
  LIMIT_LOGINS_PER_ADDRESS: "1000000/1",
  LIMIT_REGISTRATIONS_PER_ADDRESS: "1000000/1",
  LIMIT_SENDS_PER_USER: "1000000/1",
  LIMIT_EVENTS_PER_SOCKET: "1000000/1",
  CONNECTIONS_PER_USER_MAX: "100000",
  CONNECTIONS_PER_ADDRESS_MAX: "100000",
  LIMIT_SEARCHES_PER_USER: "1000000/1",
};

/** The same for the gateway: its limits.conf. */
export const RAISED_GATEWAY_LIMITS = "limit_req_zone $binary_remote_addr zone=logins:10m rate=100000r/s;\n";
