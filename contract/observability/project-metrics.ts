import { z } from 'zod'
import { meteredMetrics } from '../billing/usage-metrics.ts'

/** What the control plane knows of a project for who scrapes its metrics. What it cannot measure is null. */
export const ProjectMetrics = z.object({
  /** Whether the plan has this, and in words which one does where it has not. */
  denial: z.string().nullable(),
  load: z
    .object({
      /** Of processors since the server was started. */
      cpu_seconds: z.number(),
      memory_bytes: z.number(),
      connections: z.number(),
      /** From and to the disk since the server was started. */
      read_bytes: z.number().nullable(),
      written_bytes: z.number().nullable(),
    })
    .nullable(),
  /** Bytes of memory that the compute size gives; null where nothing bounds it. */
  memory_limit: z.number().nullable(),
  disk: z.object({ database_bytes: z.number(), other_bytes: z.number() }).nullable(),
  /** How often the server was started again since it was first seen. */
  restarts: z.number().nullable(),
  /** What was counted in all; it only grows. */
  totals: z.array(z.object({ metric: z.enum(meteredMetrics), value: z.number() })),
})
export type ProjectMetrics = z.infer<typeof ProjectMetrics>
