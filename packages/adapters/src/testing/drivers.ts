import * as aiSdk from '../ai-sdk/testing/scripted.js';
import { byCanUseTool } from '../claude-agent-sdk/testing/scripted.js';
import * as langchain from '../langchain/testing/scripted.js';
import * as openaiAgents from '../openai-agents/testing/scripted.js';
import type { Driver } from './driver.js';

/** Every framework, in every way it is used. */
export const DRIVERS: readonly Driver[] = [
  aiSdk.inPlace,
  aiSdk.byMessages,
  openaiAgents.inPlace,
  openaiAgents.byInterruptions,
  langchain.inPlace,
  langchain.byOwnInterrupts,
  langchain.byHumanInTheLoop,
  byCanUseTool,
];
