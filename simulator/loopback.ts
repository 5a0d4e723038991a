import { BlockList, isIPv6 } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether a connection comes from this computer itself; an IPv4 address may be written as IPv6. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
