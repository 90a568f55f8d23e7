import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/** The services of a project that this version runs, in the order in which they are shown. */
export const projectServices = [
  'db',
  'rest',
  'graphql',
  'auth',
  'storage',
  'realtime',
  'functions',
] as const
export type ProjectService = (typeof projectServices)[number]

/** How a service is: asked now, as anyone else would ask it. */
export const ServiceState = z.object({
  name: z.enum(projectServices),
  healthy: z.boolean(),
  /** How long its answer took; null when there was none. */
  latency_ms: z.number().nullable(),
  error: z.string().optional(),
})
export type ServiceState = z.infer<typeof ServiceState>

/** How far back the use of a project is shown, and the seconds of one bar. */
export const usageRanges = {
  '15m': { seconds: 900, bar: 60 },
  '1h': { seconds: 3600, bar: 60 },
  '24h': { seconds: 86_400, bar: 1800 },
  '7d': { seconds: 604_800, bar: 14_400 },
} as const
export type UsageRange = keyof typeof usageRanges

/** Upper bounds, in ms, of the classes that answers are counted in by how long they took; what is slower is one more class. */
export const latencyBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const

/** The services whose requests are counted as they are; those of edge functions are counted for each function. */
export const countedServices = ['rest', 'graphql', 'auth', 'storage'] as const
export type CountedService = (typeof countedServices)[number]
/** Those that are told of. What is said over the sockets of realtime are no requests. */
export const usedServices = [...countedServices, 'functions'] as const
export type UsedService = (typeof usedServices)[number]

/** What requests are counted for: a service, or one edge function by its id. */
export const Counted = z.union([
  z.enum(countedServices),
  z.templateLiteral(['function:', z.uuid()]),
])
export type Counted = z.infer<typeof Counted>

/** Requests that one service or function of a project answered in one minute. */
export const RequestCount = z.object({
  ref: ProjectRef,
  service: Counted,
  /** When the minute began, in ms since 1970. */
  minute: z.number().int().multipleOf(60_000),
  requests: z.number().int().min(0),
  errors: z.number().int().min(0),
  /** Some of them carried a key of the project. */
  keyed: z.boolean(),
  histogram: z.array(z.number().int().min(0)).length(latencyBounds.length + 1),
  /** What the workers of a function took of the processors, and the most memory that one had. */
  cpuMs: z.number().int().min(0).default(0),
  memoryMb: z.number().int().min(0).max(1_000_000).default(0),
})
export type RequestCount = z.infer<typeof RequestCount>

export const ServiceUsage = z.object({
  name: z.enum(usedServices),
  requests: z.number(),
  /** Answers with a status of 500 and above. */
  errors: z.number(),
  /** 95 of 100 answers took no longer, in ms; null without requests. Read from a histogram, so it is an estimate. */
  p95_ms: z.number().nullable(),
  /** Oldest first, one for each part of the range. */
  bars: z.array(z.object({ requests: z.number(), errors: z.number() })),
})
export type ServiceUsage = z.infer<typeof ServiceUsage>

const needs = inProject('read:Read', 'projects')
const ByRef = z.object({ ref: ProjectRef })

/** What the home of a project shows beside the project itself. */
export const projectHome = {
  services: endpoint('project-home.services', 'GET /platform/projects/:ref/services', {
    needs,
    input: ByRef,
    returns: z.array(ServiceState),
  }),
  /** The newest changes of the project itself, as every member may see them; the audit log has the rest. */
  activity: endpoint('project-home.activity', 'GET /platform/projects/:ref/activity', {
    needs,
    input: ByRef,
    returns: z.array(
      z.object({
        id: z.string(),
        /** Such as `projects.create`. */
        action: z.string(),
        /** Null: the platform itself. */
        by: z.string().nullable(),
        occurred_at: Instant,
      }),
    ),
  }),
  usage: endpoint('project-home.usage', 'GET /platform/projects/:ref/request-counts', {
    needs,
    input: ByRef.extend({ range: z.enum(['15m', '1h', '24h', '7d']).default('24h') }),
    returns: z.object({
      /** When a key of the project was first used; null: never yet. */
      key_used_at: Instant.nullable(),
      services: z.array(ServiceUsage),
    }),
  }),
}
