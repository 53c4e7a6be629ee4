export { authorize } from './authorize.js';
export { type Capability, type CapabilitySource, parseCapability } from './capability.js';
export { type CompiledCapabilities, compileCapabilities } from './compiled-capabilities.js';
