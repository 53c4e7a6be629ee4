export { type NegotiationKey, negotiationFlags } from './negotiation-fields.js';
