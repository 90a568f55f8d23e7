import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { Plus, X } from 'lucide-react'
import { dataApiDefaults, unexposable, dataApi } from '#contract/data-api/data-api'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { UnsavedGate, useUnsaved } from '../../../session/identity/unsaved.tsx'
import { Card } from '../../../ui/Card.tsx'
import { FormCard } from '../../../ui/controls/FormCard.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { NewTablesChoice } from '../../../modules/objects/NewTablesChoice.tsx'
import { isProtected } from '../../../modules/objects/protected-schemas.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { schemaList } from '../../../modules/objects/lists.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/controls/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { toast } from '../../../ui/floats/toast.ts'
import {
  changesOf,
  problemsIn,
  refusalIn,
  valuesOf,
  type DataApiField,
  type DataApiValues,
} from './data-api-values.ts'
import { dataApiQuery } from './queries.ts'
import './data-api.css'

/** /project/{ref}/settings/api */
export function DataApiPage({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead title="Data API" help="Choose what your API exposes." />
        <div className="sections">
          <Card title="Project URL">
            <div className="form-stack">
              <CopyText text={project.public_url} what="project URL" />
              <CopyText
                label="Data API"
                text={`${project.public_url}/rest/v1`}
                what="data API URL"
              />
            </div>
          </Card>
          <SettingsForm projectRef={projectRef} />
        </div>
      </Page>
    </UnsavedGate>
  )
}

function SettingsForm({ projectRef }: { projectRef: string }) {
  const form = useDataApi(projectRef)
  const { dirty, pending, reason, error } = form
  return (
    <>
      <FormCard
        title="Settings"
        error={error}
        dirty={dirty}
        pending={pending}
        reason={reason}
        onSubmit={form.submit}
        onCancel={form.cancel}
      >
        <DataApiFields projectRef={projectRef} form={form} />
      </FormCard>
      <ConfirmDialog
        open={form.asking}
        title="Disable the data API?"
        verb="Disable"
        error={undefined}
        pending={pending}
        onClose={form.stopAsking}
        onConfirm={form.agree}
      >
        <p>
          No app can read or write rows over HTTP or GraphQL until you enable it again. Database
          connections and sign-ins continue to work.
        </p>
      </ConfirmDialog>
    </>
  )
}

/** Made to be shown, though they belong to the platform. */
const harmless = ['graphql_public', 'pgmq_public']

/** Whether there is a data API, which schemas it shows, and its limits. */
function DataApiFields({ projectRef, form }: { projectRef: string; form: DataApiForm }) {
  const { values, errors, change, reason } = form
  const locked = reason !== undefined
  const exposed = values.schemas.filter((name) => isProtected(name) && !harmless.includes(name))
  const amount = (field: 'maxRows' | 'pool' | 'rateLimit') => ({
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    error: errors[field],
    readOnly: locked,
    value: values[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [field]: event.target.value }),
  })
  return (
    <div className="form-stack">
      <div>
        <Checkbox
          label="Enable the data API"
          checked={values.enabled}
          disabled={locked}
          onChange={(event) => change({ enabled: event.target.checked })}
        />
        <p className="data-api-note">
          While it is off, no one can reach the database over HTTP or GraphQL.
        </p>
      </div>
      {values.enabled && (
        <>
          <SchemaNames
            projectRef={projectRef}
            label="Exposed schemas"
            help="Requests can use the tables, views and functions in these schemas. The first is the default for requests that name none."
            names={values.schemas}
            error={errors.schemas}
            locked={locked}
            onNames={(schemas) => change({ schemas })}
          />
          {exposed.length > 0 && (
            <Alert variant="warning" title={`${exposed.join(', ')} belongs to the platform`}>
              Its contents are not meant to be exposed. Only its grants and policies protect them
              from anyone who has a key.
            </Alert>
          )}
        </>
      )}
      <NewTablesChoice
        value={values.newTables}
        locked={locked}
        help="For tables and views created from now on, in the dashboard or by SQL. Existing ones are not changed."
        onChoose={(newTables) => change({ newTables })}
      />
      <SchemaNames
        projectRef={projectRef}
        label="Extra search path"
        help="Requests also search these schemas for functions and types, without exposing them."
        names={values.searchPath}
        error={errors.searchPath}
        locked={locked}
        onNames={(searchPath) => change({ searchPath })}
      />
      <TextField
        label="Max rows"
        help={`The most rows in one response, whatever the request. ${dataApiDefaults.max_rows} by default.`}
        unit="rows"
        {...amount('maxRows')}
      />
      <TextField
        label="Pool size"
        help="The most connections for each request role. Leave empty for the default of the installation."
        unit="connections"
        placeholder="Installation default"
        {...amount('pool')}
      />
      <TextField
        label="Requests per caller"
        help="A signed-in user, or else a key at one IP address, gets 429 and a time to retry above this limit. Leave empty for no limit."
        unit="a minute"
        placeholder="No limit"
        {...amount('rateLimit')}
      />
    </div>
  )
}

type Props = {
  projectRef: string
  label: string
  help: string
  names: readonly string[]
  error: string | undefined
  locked: boolean
  onNames: (names: string[]) => void
}

/** Some schemas of the database, in an order that matters. */
function SchemaNames({ projectRef, label, help, names, error, locked, onNames }: Props) {
  const [open, setOpen] = useState(false)
  const { data: schemas = [], error: failed } = useQuery(schemaList(projectRef))
  const left = schemas
    .map(({ name }) => name)
    .filter((name) => !names.includes(name) && !unexposable.includes(name))
  return (
    <Field label={label} help={help} error={error ?? failed?.message}>
      {(control) => (
        <div className="schema-names">
          {names.map((name) => (
            <span key={name} className="schema-name mono">
              {name}
              {!locked && (
                <button
                  type="button"
                  aria-label={`Remove ${name} from ${label.toLowerCase()}`}
                  onClick={() => onNames(names.filter((one) => one !== name))}
                >
                  <Icon of={X} size="xs" />
                </button>
              )}
            </span>
          ))}
          {!locked && (
            <Popover
              label={label}
              open={open}
              onOpenChange={setOpen}
              trigger={
                <Button {...control} variant="ghost" icon={Plus}>
                  Add schema
                </Button>
              }
            >
              <OptionList
                label={label}
                search="Find a schema"
                nothing="No other schema"
                options={left.map((name) => ({ value: name, label: name }))}
                value={undefined}
                onSelect={(name) => {
                  setOpen(false)
                  onNames([...names, name])
                }}
              />
            </Popover>
          )}
        </div>
      )}
    </Field>
  )
}

/** The form of the data API's settings, its saving, and the question before it is switched off. */
function useDataApi(projectRef: string) {
  const { data: settings } = useSuspenseQuery(dataApiQuery(projectRef))
  const reason = useDenials(useProject(projectRef))(dataApi.updateConfig)
  // What was changed here; everything else is as it is saved, also when somebody else saves meanwhile.
  const [typed, setTyped] = useState<Partial<DataApiValues>>({})
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const values = { ...valuesOf(settings), ...typed }
  const changes = changesOf(values, settings)
  const problems = problemsIn(values)
  const dirty = Object.keys(changes).length > 0 || Object.keys(problems).length > 0
  useUnsaved(dirty)
  const save = useCall(dataApi.updateConfig, {
    onSuccess: (saved) => {
      queryClient.setQueryData(dataApiQuery(projectRef).queryKey, saved)
      setTyped({})
      setTried(false)
      toast.success('Data API saved')
    },
    onSettled: () => setAsking(false),
  })
  const refused = save.error ? refusalIn(save.error.message) : undefined
  const errors: Partial<Record<DataApiField, string>> = {
    ...(refused?.field && { [refused.field]: refused.text }),
    ...(tried && problems),
  }
  const send = () => save.mutate({ ref: projectRef, ...changes })
  return {
    values,
    errors,
    error: refused && !refused.field ? refused.text : undefined,
    dirty,
    pending: save.isPending,
    reason,
    change: (part: Partial<DataApiValues>) => setTyped((before) => ({ ...before, ...part })),
    cancel: () => {
      setTyped({})
      setTried(false)
      save.reset()
    },
    submit: () => {
      setTried(true)
      if (Object.keys(problems).length > 0) return
      if (changes.db_schema === '') setAsking(true)
      else send()
    },
    asking,
    stopAsking: () => setAsking(false),
    agree: send,
  }
}
type DataApiForm = ReturnType<typeof useDataApi>
