import { connectWire, type Wire, type WireOptions } from '../driver/wire.js';

/**
 * Connects, and reconnects at once whenever the connection closes or is refused. Resolves after the first
 * attempt.
 */
export async function keepReconnecting(options: WireOptions, use: (wire: Wire) => void): Promise<void> {
  try {
    const wire = await connectWire(options);
    wire.socket.once('close', () => void keepReconnecting(options, use));
    use(wire);
  } catch {
    void keepReconnecting(options, use);
  }
}
