import { isTestSupport, type Source } from './sources.ts'

/**
 * Files of the product that name the superuser of projects, and why. Only the first opens sessions as it, for the reasons
 * that it lists; what runs as superuser must never touch what a tenant has made (docs/security.md).
 */
export const superuserFiles: Record<string, string> = {
  'compute/local/admin-session.ts': 'opens its sessions',
  'compute/local/template.ts': 'makes the cluster that it belongs to',
  'compute/local/create.ts': 'gives it its password',
  'compute/local/expected-roles.ts': 'says who may be superuser',
  'compute/local/settings.ts': 'says from where it may come in',
  'data-plane/auth/access.ts': 'knows its name in tokens',
  'data-plane/postgres-gateway/port.ts': 'refuses it over the network',
  'data-plane/pg-meta/overview/overview.ts': 'leaves its objects out',
  'data-plane/pg-meta/advisors/activity.ts': 'shows its activity as that of the platform',
}

/** Files that say its name and are not in the list. */
export const superuserElsewhere = (sources: Source[]): string[] =>
  sources
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTestSupport(path))
    // As a word of the code: comments may speak of it.
    .filter(({ text }) => /['"]supabase_admin['"]/.test(text))
    .map(({ path }) => path)
    .filter((path) => !(path in superuserFiles))
