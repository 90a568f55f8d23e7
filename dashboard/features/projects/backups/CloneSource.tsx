import type { Backup } from '#contract/projects/backups'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import type { SourceChoice } from './clone-source.ts'
import type { Span } from './moment.ts'
import { MomentFields } from './MomentFields.tsx'
import { clockText, reasonText, takenAt } from './words.ts'

type Props = {
  backups: readonly Backup[]
  spans: readonly Span[]
  choice: SourceChoice
  onChange: (choice: SourceChoice) => void
}

/** Which state of the database the new project gets. */
export function CloneSource({ backups, spans, choice, onChange }: Props) {
  const both = backups.length > 0 && spans.length > 0
  return (
    <>
      {both && (
        <div>
          <Segmented
            label="Start with"
            options={[
              { value: 'backup', label: 'A backup' },
              { value: 'moment', label: 'A moment' },
            ]}
            value={choice.from}
            onChange={(from) => onChange({ ...choice, from })}
          />
        </div>
      )}
      {choice.from === 'backup' ? (
        <SelectField
          label="Backup"
          options={backups.map((backup) => ({
            value: String(backup.id),
            label: clockText(takenAt(backup)),
            detail: reasonText[backup.reason],
          }))}
          value={choice.backup === undefined ? undefined : String(choice.backup)}
          onChange={(id) => onChange({ ...choice, backup: Number(id) })}
        />
      ) : (
        <MomentFields
          spans={spans}
          choice={choice.moment}
          onChange={(moment) => onChange({ ...choice, moment })}
        />
      )}
    </>
  )
}
