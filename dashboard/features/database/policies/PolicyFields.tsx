import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { hasCheck, hasDefinition, policyCommands } from '#contract/ddl/policies'
import { columnWords } from '../../../modules/objects/column-words.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { Field } from '../../../ui/controls/Field.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import type { PolicyDraft, problemsOf } from './policy-draft.ts'
import { roleNamesQuery } from './queries.ts'

type Props = {
  projectRef: string
  draft: PolicyDraft
  problems: ReturnType<typeof problemsOf>
  error: string | undefined
  onDraft: (draft: PolicyDraft) => void
  tableId: number
}

const commands = policyCommands.map((value) => ({
  value,
  label: value === 'ALL' ? 'All' : value[0] + value.slice(1).toLowerCase(),
}))

/** What a policy says. */
export function PolicyFields({ projectRef, tableId, draft, problems, error, onDraft }: Props) {
  const { command, action, name, roles, definition, check } = draft
  const words = () => columnWords(projectRef, tableId)
  const isUpdate = command === 'UPDATE' || command === 'ALL'
  return (
    <div className="form-stack">
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={63}
        error={problems.name}
        value={name}
        onChange={(event) => onDraft({ ...draft, name: event.target.value })}
      />
      <Field label="Command" help="The command that the policy applies to.">
        {() => (
          <div className="policy-choice">
            <Segmented
              label="Command"
              options={commands}
              value={command}
              onChange={(next) => onDraft({ ...draft, command: next })}
            />
          </div>
        )}
      </Field>
      <Field
        label="Kind"
        help={
          action === 'PERMISSIVE'
            ? 'A row passes when at least one permissive policy lets it through.'
            : 'A row must pass every restrictive policy and at least one permissive policy.'
        }
      >
        {() => (
          <div className="policy-choice">
            <Segmented
              label="Kind"
              options={[
                { value: 'PERMISSIVE', label: 'Permissive' },
                { value: 'RESTRICTIVE', label: 'Restrictive' },
              ]}
              value={action}
              onChange={(next) => onDraft({ ...draft, action: next })}
            />
          </div>
        )}
      </Field>
      <RolesField
        projectRef={projectRef}
        roles={roles}
        error={problems.roles}
        onRoles={(next) => onDraft({ ...draft, roles: next })}
      />
      {hasDefinition(command) && (
        <CodeField
          label="Using"
          words={words}
          placeholder="(select auth.uid()) = user_id"
          help="An SQL expression that is true for the existing rows it covers."
          error={problems.definition}
          value={definition}
          onValue={(text) => onDraft({ ...draft, definition: text })}
        />
      )}
      {hasCheck(command) && (
        <CodeField
          label="With check"
          words={words}
          placeholder={isUpdate ? 'Same as Using' : '(select auth.uid()) = user_id'}
          help={
            isUpdate
              ? 'An SQL expression that new and changed rows must satisfy. Leave empty to reuse Using.'
              : 'An SQL expression that new rows must satisfy.'
          }
          error={problems.check}
          value={check}
          onValue={(text) => onDraft({ ...draft, check: text })}
        />
      )}
      {error && <Alert variant="danger" title={error} />}
    </div>
  )
}

type RolesFieldProps = {
  projectRef: string
  roles: readonly string[]
  error: string | undefined
  onRoles: (roles: string[]) => void
}

const first = ['public', 'anon', 'authenticated', 'service_role']
const words: Record<string, string> = {
  public: 'everybody',
  anon: 'not signed in',
  authenticated: 'signed in, including anonymous users',
  service_role: 'bypasses every policy',
}

/** The roles that a policy is for. */
function RolesField({ projectRef, roles, error, onRoles }: RolesFieldProps) {
  const [open, setOpen] = useState(false)
  const { data = [] } = useQuery(roleNamesQuery(projectRef))
  const names = [...first, ...data.map(({ name }) => name).filter((name) => !first.includes(name))]
  return (
    <Field
      label="Roles"
      help="Users who signed in anonymously are authenticated too."
      error={error}
    >
      {(control) => (
        <div className="policy-roles">
          {roles.map((role) => (
            <span key={role} className="policy-role mono">
              {role}
              <button
                type="button"
                aria-label={`Remove ${role}`}
                onClick={() => onRoles(roles.filter((one) => one !== role))}
              >
                <Icon of={X} size="xs" />
              </button>
            </span>
          ))}
          <Popover
            label="Roles"
            open={open}
            onOpenChange={setOpen}
            trigger={
              <Button {...control} variant="ghost" icon={Plus}>
                Add role
              </Button>
            }
          >
            <OptionList
              label="Roles"
              search="Find a role"
              options={names
                .filter((name) => !roles.includes(name))
                .map((name) => ({ value: name, label: name, detail: words[name] }))}
              value={undefined}
              onSelect={(role) => {
                setOpen(false)
                onRoles([...roles, role])
              }}
            />
          </Popover>
        </div>
      )}
    </Field>
  )
}
