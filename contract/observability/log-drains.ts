import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inOrganization, inProject } from '../permissions.ts'
import { ProjectRef, Slug } from '../values.ts'
import {
  LogDrain,
  logDrainDescription,
  logDrainName,
  LogDrainTest,
  logDrainTypes,
} from './log-drain-shapes.ts'

/** The config is checked by the type (`logDrainConfigs`); what is wrong is named by its field. */
const config = z.record(z.string(), z.unknown())
const made = z.object({
  name: logDrainName,
  description: logDrainDescription,
  type: z.enum(logDrainTypes),
  config,
})
/** The type stays; a config that is given is whole but for its secrets. */
const changed = z.object({
  token: z.uuid(),
  name: logDrainName.optional(),
  description: logDrainDescription.optional(),
  config: config.optional(),
  enabled: z.boolean().optional(),
})

const tested = z.object({
  token: z.uuid().optional(),
  type: z.enum(logDrainTypes),
  config,
})

// Secrets are in drains: who may only look sees names and states, nobody sees the secrets. Each schema stands in its endpoint,
// because what stands elsewhere is sent to browsers (dashboard/build/contract-without-schemas.ts).
const seesLogs = inProject('analytics:Read', 'logflare')
const changesDrains = inProject('analytics:Admin:Write', 'log_drains')
const seesAudit = inOrganization('read:Read', 'audit_logs')
const changesAuditDrains = inOrganization('analytics:Admin:Write', 'log_drains')

/** Drains of the logs of a project. */
export const logDrains = {
  /** On any plan: those that are left from another one are shown, and send nothing. */
  list: endpoint('log-drains.list', 'GET /platform/projects/:ref/analytics/log-drains', {
    needs: seesLogs,
    input: z.object({ ref: ProjectRef }),
    returns: z.array(LogDrain),
  }),
  /** 403 `plan_limit` where the plan has none, as for every change but deleting; 409 `too_many_log_drains` beyond `maxLogDrains`. */
  create: endpoint('log-drains.create', 'POST /platform/projects/:ref/analytics/log-drains', {
    needs: changesDrains,
    status: 201,
    input: z.object({ ref: ProjectRef, ...made.shape }),
    returns: LogDrain,
  }),
  update: endpoint('log-drains.update', 'PUT /platform/projects/:ref/analytics/log-drains/:token', {
    needs: changesDrains,
    input: z.object({ ref: ProjectRef, ...changed.shape }),
    returns: LogDrain,
  }),
  remove: endpoint(
    'log-drains.remove',
    'DELETE /platform/projects/:ref/analytics/log-drains/:token',
    {
      needs: changesDrains,
      input: z.object({ ref: ProjectRef, token: z.uuid() }),
      returns: z.object({ token: z.uuid() }),
    },
  ),
  /** Sends one entry now: of a drain that is there (`token`, its secrets kept), or of one that is being made. */
  test: endpoint('log-drains.test', 'POST /platform/projects/:ref/analytics/log-drains/test', {
    needs: changesDrains,
    perMinute: 20,
    input: z.object({ ref: ProjectRef, ...tested.shape }),
    returns: LogDrainTest,
  }),
}

/** Drains of the audit log of an organization. */
export const auditLogDrains = {
  /** On any plan: those that are left from another one are shown, and send nothing. */
  list: endpoint(
    'audit-log-drains.list',
    'GET /platform/organizations/:slug/analytics/audit-log-drains',
    {
      needs: seesAudit,
      input: z.object({ slug: Slug }),
      returns: z.array(LogDrain),
    },
  ),
  /** 403 `plan_limit` where the plan has none, as for every change but deleting; 409 `too_many_log_drains` beyond `maxLogDrains`. */
  create: endpoint(
    'audit-log-drains.create',
    'POST /platform/organizations/:slug/analytics/audit-log-drains',
    {
      needs: changesAuditDrains,
      status: 201,
      input: z.object({ slug: Slug, ...made.shape }),
      returns: LogDrain,
    },
  ),
  update: endpoint(
    'audit-log-drains.update',
    'PUT /platform/organizations/:slug/analytics/audit-log-drains/:token',
    {
      needs: changesAuditDrains,
      input: z.object({ slug: Slug, ...changed.shape }),
      returns: LogDrain,
    },
  ),
  remove: endpoint(
    'audit-log-drains.remove',
    'DELETE /platform/organizations/:slug/analytics/audit-log-drains/:token',
    {
      needs: changesAuditDrains,
      input: z.object({ slug: Slug, token: z.uuid() }),
      returns: z.object({ token: z.uuid() }),
    },
  ),
  /** Sends one entry now: of a drain that is there (`token`, its secrets kept), or of one that is being made. */
  test: endpoint(
    'audit-log-drains.test',
    'POST /platform/organizations/:slug/analytics/audit-log-drains/test',
    {
      needs: changesAuditDrains,
      perMinute: 20,
      input: z.object({ slug: Slug, ...tested.shape }),
      returns: LogDrainTest,
    },
  ),
}
