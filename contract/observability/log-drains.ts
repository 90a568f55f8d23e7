import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inOrganization, inProject, type Need } from '../permissions.ts'
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

type Where = { name: string; path: `/${string}`; by: z.ZodObject; read: Need; write: Need }

/** Secrets are in them: who may only look at the project sees names and states, nobody sees the secrets. */
const drainsOf = <By extends z.ZodObject>({ name, path, by, read, write }: Where & { by: By }) => ({
  /** 403 `plan_required` where the plan has none. */
  list: endpoint(`${name}.list`, `GET ${path}`, {
    needs: read,
    input: by,
    returns: z.array(LogDrain),
  }),
  /** 409 `limit_reached` beyond `maxLogDrains`. */
  create: endpoint(`${name}.create`, `POST ${path}`, {
    needs: write,
    status: 201,
    input: by.extend(made.shape),
    returns: LogDrain,
  }),
  update: endpoint(`${name}.update`, `PUT ${path}/:token`, {
    needs: write,
    input: by.extend(changed.shape),
    returns: LogDrain,
  }),
  remove: endpoint(`${name}.remove`, `DELETE ${path}/:token`, {
    needs: write,
    input: by.extend({ token: z.uuid() }),
    returns: z.object({ token: z.uuid() }),
  }),
  /** Sends one entry now: of a drain that is there (`token`, its secrets kept), or of one that is being made. */
  test: endpoint(`${name}.test`, `POST ${path}/test`, {
    needs: write,
    perMinute: 20,
    input: by.extend({ token: z.uuid().optional(), type: z.enum(logDrainTypes), config }),
    returns: LogDrainTest,
  }),
})

/** Drains of the logs of a project. */
export const logDrains = drainsOf({
  name: 'log-drains',
  path: '/platform/projects/:ref/analytics/log-drains',
  by: z.object({ ref: ProjectRef }),
  read: inProject('analytics:Read', 'logflare'),
  write: inProject('analytics:Admin:Write', 'log_drains'),
})

/** Drains of the audit log of an organization. */
export const auditLogDrains = drainsOf({
  name: 'audit-log-drains',
  path: '/platform/organizations/:slug/analytics/audit-log-drains',
  by: z.object({ slug: Slug }),
  read: inOrganization('read:Read', 'audit_logs'),
  write: inOrganization('analytics:Admin:Write', 'log_drains'),
})
