import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** The programs of an installation: those that serve the dashboard, and those that serve projects. */
export const planeKinds = ['control-plane', 'data-plane'] as const
export type PlaneKind = (typeof planeKinds)[number]

/** Seconds between two signs of life, and after how many without one a program counts as lost. */
export const heartbeatSeconds = 15
export const lostAfterSeconds = 60
/** One that has not been heard for so long is forgotten: nobody waits for it any more. */
export const forgottenAfterSeconds = 24 * 3600

const text = z.string().min(1).max(300)

/** What a program says of itself. */
export const PlaneReport = z.object({
  /** Its machine and port: one that is started again takes the place of the one before. */
  place: text,
  version: text,
  started_at: z.iso.datetime(),
  memory_bytes: z.number().int().min(0),
  /** It ends now, in good order: nobody has to look for it. */
  ends: z.boolean(),
})
export type PlaneReport = z.infer<typeof PlaneReport>

export const planes = {
  /** A data plane's sign of life. */
  report: endpoint('planes.report', 'POST /internal/planes', {
    needs: 'internal',
    input: PlaneReport,
    /** How many data planes are there now: what one of them counts alone, several have to count together. An earlier version says nothing. */
    returns: z.object({ data_planes: z.number().int().default(1) }),
  }),
}
