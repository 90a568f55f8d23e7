import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Named } from './pg-meta-shapes.ts'
import { Instant, ProjectRef } from '../values.ts'

const place = z.number().int().min(-1_000_000).max(1_000_000)

/** Where the tables of a schema's diagram stand, by the ids that their database gives them. */
const Positions = z
  .array(z.object({ id: z.number().int().min(0).max(4_294_967_295), x: place, y: place }))
  .max(1000)

export const DiagramLayout = z.object({
  positions: Positions,
  updated_at: Instant,
  /** Of the shared one: who shared it, unless their account is gone. */
  updated_by: z.string().nullable(),
})
export type DiagramLayout = z.infer<typeof DiagramLayout>

const OfSchema = z.object({ ref: ProjectRef, schema: Named })

/** Everyone has a layout of their own for each schema, and a project one that is shared. */
export const diagramLayouts = {
  get: endpoint('diagram-layouts.get', 'GET /platform/projects/:ref/diagram-layouts', {
    needs: inProject('read:Read', 'user_content'),
    input: OfSchema,
    returns: z.object({ own: DiagramLayout.nullable(), shared: DiagramLayout.nullable() }),
  }),
  save: endpoint('diagram-layouts.save', 'PUT /platform/projects/:ref/diagram-layouts', {
    needs: inProject('read:Read', 'user_content'),
    perMinute: 240,
    input: OfSchema.extend({ positions: Positions }),
    returns: DiagramLayout,
  }),
  /** Forgets the caller's own, so that the shared one is shown. */
  reset: endpoint('diagram-layouts.reset', 'DELETE /platform/projects/:ref/diagram-layouts', {
    needs: inProject('read:Read', 'user_content'),
    input: OfSchema,
    returns: z.object({ removed: z.boolean() }),
  }),
  /** For whoever may change tables: what everybody sees who has none of their own. */
  share: endpoint('diagram-layouts.share', 'PUT /platform/projects/:ref/diagram-layouts/shared', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: OfSchema.extend({ positions: Positions }),
    returns: DiagramLayout,
  }),
}
