import { planComparison, type PlanFeatureKey } from './billing/plan-comparison.ts'

/**
 * Rows of the plan catalogue (requirements §9) that this version does not do. They keep their prices and limits, and are
 * sold, offered and promised nowhere: who builds one takes it off this list.
 */
export const notHere: readonly PlanFeatureKey[] = [
  'database.advancedDiskConfig',
  'auth.advancedSecurityFeatures',
  'storage.cdn',
  'security.byoc',
  'security.soc2',
  'security.hipaa',
  'security.uptimeSla',
  'support.emailSupportSla',
  'support.designatedSupport',
  'support.onBoardingSupport',
  'support.designatedCustomerSuccessTeam',
  'support.securityQuestionnaireHelp',
]
const missing = new Set<string>(notHere)

/** Whether this version does what a row of the catalogue says. */
export const isHere = (key: PlanFeatureKey): boolean => !missing.has(key)

/** The comparison of the plans with what there is; every section has something. */
export const offeredComparison = planComparison.map(({ key, title, features }) => ({
  key,
  title,
  features: features.filter((row) => isHere(row.key)),
}))
