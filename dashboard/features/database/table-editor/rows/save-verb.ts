import { usePreferences } from '../../../../session/identity/preferences.ts'

/** What the button of a panel does with what was typed in it: it is sent, or waits with the other changes of the table. */
export const useSaveVerb = (): string =>
  usePreferences(({ saveRowsAtOnce }) => (saveRowsAtOnce ? 'Save' : 'Add to changes'))
