import { z } from 'zod'

/** The four roles of an organization, in the order in which every list shows them (facts §0 "Roles order"). */
export const roleNames = ['Owner', 'Administrator', 'Developer', 'Read-only'] as const
export type RoleName = (typeof roleNames)[number]

/** Every action a permission row can name (facts §2.2). */
export const actions = [
  'analytics:Read',
  'analytics:Write',
  'analytics:Admin:Read',
  'analytics:Admin:Write',
  'auth:Execute',
  'billing:Read',
  'billing:Write',
  'write:Create',
  'write:Update',
  'write:Delete',
  'read:Read',
  'functions:Read',
  'functions:Write',
  'functions:Secret:Read',
  'functions:Secret:Write',
  'infra:Execute',
  'secrets:Read',
  'secrets:Write',
  'sql:Read:Select',
  'sql:Write:Insert',
  'sql:Write:Update',
  'sql:Write:Delete',
  'storage:Read',
  'storage:Write',
  'storage:Admin:Read',
  'storage:Admin:Write',
  'realtime:Admin:Read',
  'realtime:Admin:Write',
  'replication:Admin:Read',
  'replication:Admin:Write',
  'tenant:Sql:Query',
  'tenant:Sql:CreateTable',
  'tenant:Sql:Read:Select',
  'tenant:Sql:Write:Insert',
  'tenant:Sql:Write:Update',
  'tenant:Sql:Write:Delete',
  'tenant:Sql:Admin:Read',
  'tenant:Sql:Admin:Write',
] as const
export type Action = (typeof actions)[number]

/**
 * What an endpoint asks of its caller. An action is checked against the organization and project that the
 * endpoint's own input names (`slug` or `organization_slug`, `ref`).
 */
export type Need =
  | 'anyone'
  | 'signed-in'
  | 'internal'
  /** Whoever runs the installation: no role in an organization gives it. */
  | 'operator'
  | { action: Action; resource: string; in: 'organization' | 'project' }

/** Of these a caller's rights are looked at. */
export type GuardedNeed = Exclude<Need, 'anyone' | 'signed-in' | 'internal'>

export const inProject = (action: Action, resource: string): Need => ({
  action,
  resource,
  in: 'project',
})
export const inOrganization = (action: Action, resource: string): Need => ({
  action,
  resource,
  in: 'organization',
})

/** One row of GET /platform/profile/permissions (facts §3.1). `condition` is JSON Logic. */
export const Permission = z.object({
  actions: z.array(z.string()),
  condition: z.unknown().nullable(),
  organization_id: z.number(),
  organization_slug: z.string(),
  project_ids: z.array(z.number()),
  project_refs: z.array(z.string()),
  resources: z.array(z.string()),
  restrictive: z.boolean(),
})
export type Permission = z.infer<typeof Permission>

/** What is in view. A branch counts as the project it belongs to: `projectRef` is then its parent's. */
export type Target = { organizationSlug: string; projectRef?: string | undefined }

/** The project that a branch belongs to; every other project is its own (requirements §3). */
export const parentRefOf = (project: { ref: string; parent_project_ref: string | null }): string =>
  project.parent_project_ref ?? project.ref

/** What is in view on a page of this project. */
export const targetOf = (project: {
  ref: string
  organization_slug: string
  parent_project_ref: string | null
}) =>
  ({
    organizationSlug: project.organization_slug,
    projectRef: parentRefOf(project),
  }) satisfies Target

/** `%` stands for any text, everything else for itself; the whole value has to match. */
export function matchesPattern(pattern: string, value: string): boolean {
  const [first = '', ...rest] = pattern.split('%')
  const last = rest.pop()
  if (last === undefined) return pattern === value
  if (!value.startsWith(first) || !value.endsWith(last)) return false
  const end = value.length - last.length
  let at = first.length
  // Each part at its first place after the one before: a later place leaves no more room for those that follow.
  for (const part of rest) {
    const found = value.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= end
}

type Patterns = { actions: readonly string[]; resources: readonly string[] }

/** Whether one of the patterns for actions and one of those for resources match. */
export const grants = (patterns: Patterns, action: string, resource: string): boolean =>
  patterns.actions.some((pattern) => matchesPattern(pattern, action)) &&
  patterns.resources.some((pattern) => matchesPattern(pattern, resource))

/** The JSON Logic a condition may use: comparison of variables with values, and/or/not. Unknown operators deny. */
export function holds(condition: unknown, data: Record<string, unknown>): boolean {
  return evaluate(condition, data) === true
}

function evaluate(node: unknown, data: Record<string, unknown>): unknown {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node
  const [entry] = Object.entries(node)
  if (!entry) return undefined
  const [operator, raw] = entry
  const args: unknown[] = Array.isArray(raw) ? raw : [raw]
  if (operator === 'var') return lookUp(data, String(args[0]))
  const values = args.map((arg) => evaluate(arg, data))
  switch (operator) {
    case '==':
    case '===':
      return values[0] !== undefined && values[0] === values[1]
    case '!=':
    case '!==':
      return values[0] !== values[1]
    case 'in':
      return Array.isArray(values[1]) && values[1].includes(values[0])
    case 'and':
      return values.every((value) => value === true)
    case 'or':
      return values.some((value) => value === true)
    case '!':
      return values[0] !== true
    default:
      return undefined
  }
}

function lookUp(data: Record<string, unknown>, path: string): unknown {
  let value: unknown = data
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/**
 * The rule of facts §2.1. Rows of the organization whose action and resource patterns match decide; when one of
 * them names the project in view, only such rows decide, otherwise only rows for the whole organization do. A matching
 * restrictive row denies, else any matching row allows.
 */
export function allows(
  rows: readonly Permission[],
  action: Action,
  resource: string,
  target: Target,
  data: Record<string, unknown> = {},
): boolean {
  const matching = rows.filter(
    (row) => row.organization_slug === target.organizationSlug && grants(row, action, resource),
  )
  const { projectRef } = target
  const ofProject = projectRef
    ? matching.filter((row) => row.project_refs.includes(projectRef))
    : []
  const deciding = ofProject.length
    ? ofProject
    : matching.filter((row) => row.project_refs.length === 0)
  const met = (row: Permission) =>
    row.condition === null || holds(row.condition, { resource_name: resource, ...data })
  if (deciding.some((row) => row.restrictive && met(row))) return false
  return deciding.some((row) => !row.restrictive && met(row))
}
