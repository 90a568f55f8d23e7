import { availableParallelism, totalmem } from 'node:os'
import type { MachineCapacity } from '../../provider.ts'

/** What this machine has for the servers of projects, or whoever started us leaves us of it (a container). */
export function machineCapacity(): MachineCapacity {
  const constrained = process.constrainedMemory()
  const memory = totalmem()
  return {
    memoryBytes: constrained > 0 ? Math.min(memory, constrained) : memory,
    cores: availableParallelism(),
  }
}
