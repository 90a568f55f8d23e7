import type { Role } from '#contract/database/database-object-shapes'
import type { RoleFlag } from '#contract/ddl/roles'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { flagWords } from './role-flags.ts'

export type RoleDraft = {
  name: string
  /** Empty is without limit. */
  connection_limit: string
  member_of: readonly string[]
  flags: Record<RoleFlag, boolean>
}

type Props = {
  draft: RoleDraft
  role: Role | undefined
  others: readonly Role[]
  locked: boolean
  isSuperuser: boolean
  badLimit: string | undefined
  onChange: (draft: RoleDraft) => void
}

/** Name, limit and rights of a role. */
export function RoleFields({
  draft,
  role,
  others,
  locked,
  isSuperuser,
  badLimit,
  onChange,
}: Props) {
  const known = others.filter((other) => other.may_grant && other.id !== role?.id)
  return (
    <>
      <TextField
        label="Name"
        mono
        autoComplete="off"
        disabled={locked}
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <TextField
        label="Connection limit"
        inputMode="numeric"
        autoComplete="off"
        placeholder="No limit"
        disabled={locked}
        error={badLimit}
        value={draft.connection_limit}
        onChange={(event) => onChange({ ...draft, connection_limit: event.target.value })}
      />
      <fieldset className="checks">
        <legend className="section-title">What it may</legend>
        {flagWords.map(({ flag, word, about, superuser }) => (
          <Checkbox
            key={flag}
            label={
              <>
                {word}
                <span className="choice-help">
                  {superuser && !isSuperuser ? 'Only a superuser can grant this.' : about}
                </span>
              </>
            }
            checked={draft.flags[flag]}
            disabled={locked || (superuser === true && !isSuperuser)}
            onChange={(event) =>
              onChange({ ...draft, flags: { ...draft.flags, [flag]: event.target.checked } })
            }
          />
        ))}
      </fieldset>
      {role ? (
        <p className="muted">
          {role.member_of.length > 0
            ? `Member of ${role.member_of.join(', ')}.`
            : 'Member of no other role.'}
        </p>
      ) : (
        <fieldset className="checks">
          <legend className="section-title">Has the rights of</legend>
          {known.map(({ name: group }) => (
            <Checkbox
              key={group}
              label={<span className="mono">{group}</span>}
              checked={draft.member_of.includes(group)}
              onChange={(event) =>
                onChange({
                  ...draft,
                  member_of: event.target.checked
                    ? [...draft.member_of, group]
                    : draft.member_of.filter((one) => one !== group),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
