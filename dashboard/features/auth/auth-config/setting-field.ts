import { type AuthKey, type AuthSettings, gatesOfSettings } from '#contract/auth/auth-config-keys'
import { hasFeature, planWith } from '#contract/billing/plan-comparison'
import { planNames, type PlanId } from '#contract/billing/plans'

type Common = {
  key: AuthKey
  label: string
  help?: string
  /** Shown only while this holds for what the form says now. */
  shown?: (values: FormValues) => boolean
  /** It cannot be left empty. */
  needed?: true
  /** What to think of a value that is allowed all the same. */
  warning?: (value: string) => string | undefined
}

/** One setting as a form shows it. */
export type SettingField = Common &
  (
    | {
        kind: 'text' | 'area'
        placeholder?: string
        /** Words for people, which are not mono as data is. */
        prose?: true
      }
    /** What stands in the setting with commas between is shown a line each. */
    | { kind: 'lines' }
    /** `unit`: faint words behind a number, as "seconds". `reads`: the number in other words. */
    | { kind: 'whole'; unit?: string; reads?: (value: number) => string }
    /** `inverted`: it is checked while the setting is off. */
    | { kind: 'check'; inverted?: true }
    /** Never shown: an empty field keeps what is there. */
    | { kind: 'secret' }
    | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
    /** Two switches that are one choice: `key` lets users show such a factor, `enroll` lets them add one. */
    | { kind: 'factor'; enroll: AuthKey }
  )

export type FormValues = Record<string, string | boolean>
/** Null takes the default back. */
export type SettingChanges = { [K in AuthKey]?: AuthSettings[K] | null }

/** What to ask before a change that hurts somebody or costs something. */
/** `harmless`: nothing is lost by it. */
export type Caution = { title: string; verb: string; text: string; harmless?: true }

/** `before`: what was saved last. `hasPrices`: what is switched on here is paid for. */
export type Circumstances = { before: AuthSettings; hasPrices: boolean }

/** Settings that are saved together. */
export type SettingsGroup = {
  title: string
  fields: readonly SettingField[]
  caution?: (changes: SettingChanges, circumstances: Circumstances) => Caution | undefined
}

/** Why nobody can change a setting here, and whether another plan would help. */
export type Closed = { reason: string; byPlan: boolean }

/** Why an organization on this plan does not have a setting; undefined when it has. */
export function closedBy(key: AuthKey, plan: PlanId): Closed | undefined {
  const gate = gatesOfSettings[key]
  if (!gate || hasFeature(plan, gate)) return undefined
  const needed = planWith(gate)
  return needed && { reason: `Comes with the ${planNames[needed]} plan.`, byPlan: true }
}
