import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { regionCodes } from '../projects/regions.ts'
import { projectStatuses } from '../projects/project-status.ts'
import { displayName, Instant, ProjectRef, Slug } from '../values.ts'

const BackupId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const BackupKey = z.object({ ref: ProjectRef, id: BackupId })

/**
 * The operator's side of what no row of the platform database knows (docs/operating.md): it is kept until one of these
 * words is said. In self-hosted mode there is none.
 */
export const orphans = {
  list: endpoint('orphans.list', 'GET /internal/orphans', {
    needs: 'internal',
    local: true,
    input: z.object({}),
    returns: z.object({
      orphans: z.array(
        z.object({
          kind: z.enum(['project', 'backup']),
          ref: z.string(),
          /** The id of a backup; empty for a project. */
          name: z.string(),
          /** Of a project; `absent` is what an unfinished creation has left, which can only be removed. */
          state: z.string(),
          found_at: Instant,
        }),
      ),
    }),
  }),
  adoptProject: endpoint('orphans.adoptProject', 'POST /internal/orphans/projects/:ref/adopt', {
    needs: 'internal',
    local: true,
    input: z.object({
      ref: ProjectRef,
      organization_slug: Slug,
      /** `Adopted` and the ref unless told. */
      name: displayName(1, 64).optional(),
      region: z.enum(regionCodes).default('us-east-1'),
      /** Of one that was made with the data of another: the ref of that one, by which secrets in it are sealed. */
      sealing_ref: ProjectRef.optional(),
    }),
    returns: z.object({ ref: z.string(), name: z.string(), status: z.enum(projectStatuses) }),
  }),
  removeProject: endpoint('orphans.removeProject', 'DELETE /internal/orphans/projects/:ref', {
    needs: 'internal',
    local: true,
    input: z.object({ ref: ProjectRef }),
    returns: z.object({ removed: z.boolean() }),
  }),
  adoptBackup: endpoint('orphans.adoptBackup', 'POST /internal/orphans/backups/:ref/:id/adopt', {
    needs: 'internal',
    local: true,
    input: BackupKey,
    returns: z.object({ id: z.number(), status: z.string() }),
  }),
  objects: endpoint('orphans.objects', 'GET /internal/orphans/objects/:ref', {
    needs: 'internal',
    local: true,
    input: z.object({ ref: ProjectRef }),
    /** Stored files that no row of the project's database names, and that are older than a day. */
    returns: z.object({ count: z.number() }),
  }),
  removeObjects: endpoint('orphans.removeObjects', 'DELETE /internal/orphans/objects/:ref', {
    needs: 'internal',
    local: true,
    input: z.object({ ref: ProjectRef }),
    returns: z.object({ count: z.number() }),
  }),
  removeBackup: endpoint('orphans.removeBackup', 'DELETE /internal/orphans/backups/:ref/:id', {
    needs: 'internal',
    local: true,
    input: BackupKey,
    returns: z.object({ removed: z.boolean() }),
  }),
}
