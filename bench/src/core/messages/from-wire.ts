/**
 * A message as it would be in memory after parsing: separate objects and flat strings, nothing shared with
 * the next message. Messages built in code are cheaper to keep and more expensive to hash.
 */
export function fromWire<Message extends object>(message: Message): Message {
  return JSON.parse(JSON.stringify(message)) as Message;
}
