import { connectWire, type Wire, type WireOptions } from '../driver/wire.js';

/** Connects, and does so again at once whenever the connection ends or is refused. Settles after the first attempt. */
export async function comeBackAlways(options: WireOptions, use: (wire: Wire) => void): Promise<void> {
  try {
    const wire = await connectWire(options);
    wire.socket.once('close', () => void comeBackAlways(options, use));
    use(wire);
  } catch {
    void comeBackAlways(options, use);
  }
}
