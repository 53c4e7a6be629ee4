/**
 * A message as a peer's would be in memory: own objects and flat strings, nothing shared with the next
 * one. What a program builds itself is cheaper to keep and dearer to hash.
 */
export function fromWire<Message extends object>(message: Message): Message {
  return JSON.parse(JSON.stringify(message)) as Message;
}
