import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { authConfig } from '#contract/auth/auth-config'
import { inProject } from '#contract/permissions'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { GuardedPanel } from '../GuardedPanel.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { PasswordField } from '../../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { ClosedNote } from '../SettingFields.tsx'
import { schemaList } from '../../../../modules/objects/lists.ts'
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { hookFunctionsQuery, authConfigQuery } from '../queries.ts'
import { queryClient, useCall } from '../../../../api/client.ts'
import { useOrganization } from '../../../../session/organization/organizations.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { closedBy } from '../setting-field.ts'
import { refusalsIn } from '../settings-form.ts'
import {
  type Hook,
  newSecret,
  grantsFor,
  changesOfHook,
  draftOf,
  problemsOf,
  withoutHook,
  type HookDraft,
} from './hooks.ts'

type Props = { projectRef: string; hook: Hook; onClose: () => void }

/** Makes a hook, changes it, switches it on and off, or takes it away. */
export function HookPanel({ projectRef, hook, onClose }: Props) {
  const form = useHook(projectRef, hook, onClose)
  const { draft, change, closed, locked, slug } = form
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <GuardedPanel
        title={hook.title}
        dirty={form.dirty}
        pending={form.pending}
        reason={form.reason}
        error={form.error}
        onSubmit={form.submit}
        onCancel={form.cancel}
        onClose={onClose}
      >
        <p className="muted">{hook.help}</p>
        <div className="setting">
          <div className="setting-check">
            <Checkbox
              label="Enable this hook"
              checked={draft.enabled}
              disabled={locked || closed !== undefined}
              onChange={(event) => change({ enabled: event.target.checked })}
            />
          </div>
          {closed && <ClosedNote closed={closed} slug={slug} />}
        </div>
        <div className="labelled">
          <span>Hook type</span>
          <div>
            <Segmented
              label="Hook type"
              options={[
                { value: 'function', label: 'Postgres function' },
                { value: 'http', label: 'HTTPS' },
              ]}
              value={draft.kind}
              onChange={(kind) => !locked && change({ kind })}
            />
          </div>
        </div>
        {draft.kind === 'function' ? (
          <HookFunction projectRef={projectRef} form={form} />
        ) : (
          <HookAddress form={form} kept={form.config[hook.secrets] !== ''} />
        )}
        {form.isThere && (
          <div>
            <Button
              variant="danger-quiet"
              icon={Trash2}
              disabledReason={form.reason}
              onClick={() => setDeleting(true)}
            >
              Delete hook
            </Button>
          </div>
        )}
      </GuardedPanel>
      <ConfirmDialog
        open={deleting}
        title={`Delete ${hook.title}?`}
        verb="Delete hook"
        error={deleting ? form.error : undefined}
        pending={form.pending}
        onClose={() => setDeleting(false)}
        onConfirm={form.remove}
      >
        <p>
          The auth service stops calling the hook and behaves as it does without one. The URL and
          secret of the hook are deleted.
        </p>
      </ConfirmDialog>
    </>
  )
}

type HookAddressProps = {
  form: HookForm
  /** A secret is stored. */
  kept: boolean
}

/** A hook that is asked over the network: where, and what its requests are signed with. */
function HookAddress({ form: { draft, change, errors, locked }, kept }: HookAddressProps) {
  return (
    <>
      <TextField
        label="URL"
        mono
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        help="It must respond within 5 seconds."
        error={errors.url}
        readOnly={locked}
        value={draft.url}
        onChange={(event) => change({ url: event.target.value })}
      />
      <PasswordField
        label="Secret"
        autoComplete="new-password"
        placeholder={kept ? 'Stored. Leave it empty to keep it.' : 'v1,whsec_…'}
        help={
          draft.secret === ''
            ? 'Signs requests, so that your server can verify who sent them.'
            : 'Copy it to your server now: it is not shown again once it is saved.'
        }
        error={errors.secret}
        readOnly={locked}
        value={draft.secret}
        action={draft.secret !== '' && <CopyButton text={draft.secret} what="secret" />}
        onChange={(event) => change({ secret: event.target.value })}
      />
      {!locked && (
        <div>
          <Button onClick={() => change({ secret: newSecret() })}>
            {kept ? 'Generate a new secret' : 'Generate secret'}
          </Button>
        </div>
      )}
    </>
  )
}

/** A hook that is a function of the project's database: which one, and what lets the auth service call it. */
function HookFunction({ projectRef, form }: { projectRef: string; form: HookForm }) {
  const { draft, change, errors, locked } = form
  const { schema, name } = draft
  const schemas = useQuery(schemaList(projectRef))
  const functions = useQuery(hookFunctionsQuery(projectRef, schema))
  const failed = schemas.error ?? functions.error
  const names = (schemas.data ?? []).map((one) => one.name)
  const found = functions.data ?? []
  // What is stored is shown also where it is not listed.
  const called = found.some((one) => one.name === name) || name === '' ? [] : [{ name, args: '' }]
  const chosen = [...called, ...found].find((one) => one.name === name)
  return (
    <>
      <SelectField
        label="Schema"
        disabled={locked}
        options={[...new Set([schema, ...names])].map((value) => ({ value, label: value }))}
        value={schema}
        onChange={(next) => change({ schema: next, name: '' })}
      />
      <SelectField
        label="Function"
        disabled={locked}
        placeholder="Choose a function"
        help={
          functions.data?.length === 0
            ? 'No function in this schema takes one argument of type json or jsonb. Create one on the Functions page of the database.'
            : 'Takes one argument of type json or jsonb. It must respond within 2 seconds.'
        }
        error={errors.name ?? failed?.message}
        options={[...called, ...found].map((one) => ({
          value: one.name,
          label: one.name,
          detail: one.args,
        }))}
        value={name === '' ? undefined : name}
        onChange={(next) => change({ name: next })}
      />
      {chosen && (
        <div className="labelled">
          <span>Required privileges</span>
          <CodeBlock
            language="sql"
            code={grantsFor(draft, chosen.args)}
            what="statements that grant the privileges"
          />
          <p className="muted t12">
            Run these statements in the SQL editor. The auth service can then call the function, and
            no data API client can.
          </p>
        </div>
      )}
    </>
  )
}

/** Hooks are made by more people than may change the rest (facts §2.4). */
const changing = { needs: inProject('write:Create', 'custom_config_gotrue.hooks') }

/** The draft of one hook, what is wrong with it, and its saving and removal. */
function useHook(projectRef: string, hook: Hook, onDone: () => void) {
  const project = useProject(projectRef)
  const reason = useDenials(project)(changing)
  const plan = useOrganization(project.organizationSlug).plan.id
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const closed = closedBy(hook.enabled, plan)
  const isThere = config[hook.uri] !== ''
  const stored = draftOf(config, hook)
  // What nobody can switch on begins switched off.
  const begin = closed ? { ...stored, enabled: config[hook.enabled] === true } : stored
  const [draft, setDraft] = useState(begin)
  const [tried, setTried] = useState(false)
  const problems = problemsOf(draft, config[hook.secrets] !== '')

  const call = useCall(authConfig.update, {
    onSuccess: (saved) => {
      queryClient.setQueryData(authConfigQuery(projectRef).queryKey, saved)
      toast.success(saved[hook.uri] === '' ? `${hook.title} deleted` : `${hook.title} saved`)
      onDone()
    },
  })
  const refused = call.error
    ? refusalsIn(call.error.message, new Set([hook.uri, hook.secrets]))
    : undefined
  const ofUri = refused?.fields.get(hook.uri)

  return {
    config,
    draft,
    change: (part: Partial<HookDraft>) => setDraft((before) => ({ ...before, ...part })),
    /** By field: what is missing once somebody tried to save, and what the server refused. */
    errors: {
      ...(ofUri && { name: ofUri, url: ofUri }),
      ...(refused?.fields.has(hook.secrets) && { secret: refused.fields.get(hook.secrets) }),
      ...(tried && problems),
    },
    error: refused?.rest,
    reason,
    closed,
    isThere,
    locked: reason !== undefined,
    slug: project.organizationSlug,
    dirty: JSON.stringify(draft) !== JSON.stringify(begin),
    pending: call.isPending,
    submit: () => {
      setTried(true)
      if (Object.keys(problems).length > 0) return
      call.mutate({ ref: projectRef, ...changesOfHook(hook, draft) })
    },
    remove: () => call.mutate({ ref: projectRef, ...withoutHook(hook) }),
    cancel: () => {
      setDraft(begin)
      setTried(false)
      call.reset()
    },
  }
}
type HookForm = ReturnType<typeof useHook>
