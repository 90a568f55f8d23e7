import type { Extension } from '#contract/database/database-object-shapes'
import type { Integration } from '../../../modules/integrations/catalogue.ts'

export type IntegrationState =
  /** Nothing has to be done for it. */
  | 'always'
  | 'installed'
  | 'available'
  /** The server has what it needs, but only its operator may install it. */
  | 'operator'
  | 'absent'

/** Whether an integration works in this database, and if not, who can have it work. */
export function integrationState(
  { extensions: needed }: Pick<Integration, 'extensions'>,
  offered: readonly Extension[],
): IntegrationState {
  if (needed.length === 0) return 'always'
  const found = needed.map((name) => offered.find((one) => one.name === name))
  if (found.some((one) => !one)) return 'absent'
  const missing = found.filter((one) => one?.installed_version === null)
  if (missing.length === 0) return 'installed'
  return missing.every((one) => one?.may_enable) ? 'available' : 'operator'
}

export const stateNames: Record<IntegrationState, string> = {
  always: 'Always on',
  installed: 'Enabled',
  available: 'Not enabled',
  operator: 'Kept for the operator',
  absent: 'Not on this server',
}

/** What works already, before what could. */
export const works = (state: IntegrationState): boolean =>
  state === 'always' || state === 'installed'
