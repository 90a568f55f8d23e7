import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databasePorts } from '#contract/database/database-ports'
import { projects as projectsApi } from '#contract/projects/projects'
import { dataApi } from '#contract/data-api/data-api'
import { replicaTenant } from '#contract/projects/replicas'
import type { Project } from '#contract/projects/projects'
import { computeSizes } from '#contract/projects/compute-sizes'
import { q } from '../../../api/client.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { useMadeReplicas } from '../../../session/project/replicas.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { PortProblem } from '../../../modules/database-port/PortProblem.tsx'
import { useShowConnect } from './connect-param.ts'
import { stringTypes } from './connection-strings.ts'
import type { CodeFile, Guide } from './guide.ts'
import { placeholder, type Server } from './connection-uri.ts'
import { appGuides, ormGuides } from './guides.ts'
import { mobileGuides } from './guides-mobile.ts'
import './connect.css'

const allTabs = [
  { id: 'strings', label: 'Connection String', toDatabase: true },
  { id: 'frameworks', label: 'App Frameworks', feature: 'project_connection:show_app_frameworks' },
  { id: 'mobile', label: 'Mobile', feature: 'project_connection:show_mobile_frameworks' },
  { id: 'orms', label: 'ORMs', toDatabase: true, feature: 'project_connection:show_orms' },
] as const
type TabId = (typeof allTabs)[number]['id']

/** How a program gets to this project: by Postgres itself, or by the client libraries. `?showConnect=true` */
export function ConnectDialog({ projectRef, tab }: { projectRef: string; tab: string }) {
  const connect = useShowConnect()
  const project = useQuery(projectQuery(projectRef))
  return (
    <Dialog
      open
      title={project.data ? `Connect to ${project.data.name}` : 'Connect'}
      size="xxlarge"
      onClose={connect.close}
    >
      {project.data ? (
        <Connect project={project.data} tab={tab} onTab={connect.turnTo} />
      ) : project.error ? (
        <ErrorNote what="project" error={project.error} onRetry={() => void project.refetch()} />
      ) : (
        <div className="connect">
          <Skeleton width="40%" />
        </div>
      )}
    </Dialog>
  )
}

type Props = { project: Project; tab: string; onTab: (id: TabId) => void }

function Connect({ project, tab, onTab }: Props) {
  // Of a database that its operator runs only the services are ours to tell about.
  const hosted = project.cloud_provider !== 'localhost'
  const off = useDisabledFeatures()
  const tabs = allTabs.filter(
    (one) => (hosted || !('toDatabase' in one)) && !('feature' in one && off(one.feature)),
  )
  const open: TabId = tabs.find(({ id }) => id === tab)?.id ?? tabs[0]?.id ?? 'frameworks'
  const settings = useQuery(q(projectsApi.settings, { ref: project.ref }))
  const key = settings.data?.service_api_keys.find(({ tags }) => tags === 'anon')?.api_key
  const app = { url: project.public_url, anonKey: key ?? 'YOUR-ANON-KEY' }
  const dataApiSettings = useQuery(q(dataApi.config, { ref: project.ref }))
  const isPrivate = dataApiSettings.data?.new_tables === 'private'
  const server = useServer(project, settings.data?.ssl_enforced)
  return (
    <div className="connect">
      <Tabs label="Ways to connect" tabs={tabs} value={open} onChange={onTab} />
      {open === 'strings' && <ConnectionTab project={project} {...server} />}
      {isPrivate && (open === 'frameworks' || open === 'mobile') && (
        <Callout type="note" title="New tables of this project are private">
          An app can read a table once you grant it to anon or authenticated, under API access in
          the table editor. Policies decide which rows it sees.
        </Callout>
      )}
      {open === 'frameworks' && <GuideTab label="Framework" guides={appGuides} project={app} />}
      {open === 'mobile' && <GuideTab label="Framework" guides={mobileGuides} project={app} />}
      {open === 'orms' && <OrmTab {...server} />}
    </div>
  )
}

const OrmTab = (choice: ServerChoice) => (
  <>
    <PasswordChoice {...choice} />
    <GuideTab label="Tool" guides={ormGuides} project={choice.server} />
  </>
)

type GuideTabProps<P> = { label: string; guides: readonly Guide<P>[]; project: P }

/** One framework of a list, with the files that connect an app made with it. */
function GuideTab<P>({ label, guides, project }: GuideTabProps<P>) {
  const [chosen, setChosen] = useState<string>()
  const [way, setWay] = useState<string>()
  const guide = guides.find(({ id }) => id === chosen) ?? guides[0]
  if (!guide) return null
  const variant = guide.variants.find(({ id }) => id === way) ?? guide.variants[0]
  return (
    <div className="form-stack">
      <div className="connect-choices">
        <SelectField
          label={label}
          options={guides.map(({ id, name }) => ({ value: id, label: name }))}
          value={guide.id}
          onChange={setChosen}
        />
        {guide.variants.length > 1 && (
          <SelectField
            label="Using"
            options={guide.variants.map(({ id, name }) => ({ value: id, label: name }))}
            value={variant.id}
            onChange={setWay}
          />
        )}
      </div>
      <Files
        key={`${guide.id} ${variant.id}`}
        install={variant.install}
        note={variant.note}
        files={variant.files(project)}
      />
    </div>
  )
}

const noPort = 'The pooler of this installation has no port for this'

const methodNames = {
  direct: 'Direct connection',
  transaction: 'Transaction pooler',
  session: 'Session pooler',
} as const
type Method = keyof typeof methodNames

/** The address of the Postgres server, or of the pooler, in the form that a tool or driver takes it. */
function ConnectionTab({ project, ...choice }: { project: Project } & ServerChoice) {
  const [typeId, setType] = useState('uri')
  const [wanted, setMethod] = useState<Method>('direct')
  const [source, setSource] = useState('')
  const replicas = useMadeReplicas(project.ref)
  const replica = replicas.find((one) => one === source)
  const tenant = replica === undefined ? project.ref : replicaTenant(project.ref, replica)
  const { data } = useQuery(q(databasePorts.get, { ref: project.ref }))
  const pooler = data?.pooler
  // A replica has no port of its own.
  const method = replica !== undefined && wanted === 'direct' ? 'session' : wanted
  const type = stringTypes.find(({ id }) => id === typeId) ?? stringTypes[0]
  const port = method === 'direct' ? choice.server.port : pooler?.[method]
  const server =
    method === 'direct' || !port
      ? choice.server
      : { ...choice.server, port, user: `${choice.server.user}.${tenant}` }
  const option = (value: Method) => ({
    value,
    label: methodNames[value],
    ...(value === 'direct'
      ? replica !== undefined && { disabledReason: 'The pooler leads to read replicas' }
      : !pooler?.[value] && { disabledReason: noPort }),
  })
  const parameters = [
    ['host', server.host],
    ['port', String(server.port)],
    ['database', server.database],
    ['user', server.user],
    ...(method === 'direct' ? [] : [['pool_mode', method] as const]),
    ...(server.sslEnforced ? [['sslmode', 'require'] as const] : []),
  ] as const
  return (
    <div className="form-stack">
      <div className="connect-choices">
        {replicas.length > 0 && (
          <SelectField
            label="Source"
            options={[
              { value: '', label: 'Primary database' },
              ...replicas.map((one) => ({ value: one, label: `Read replica ${one}` })),
            ]}
            value={replica ?? ''}
            onChange={setSource}
          />
        )}
        <SelectField
          label="Type"
          options={stringTypes.map(({ id, name }) => ({ value: id, label: name }))}
          value={type?.id}
          onChange={setType}
        />
        <SelectField
          label="Method"
          options={[option('direct'), option('transaction'), option('session')]}
          value={method}
          onChange={setMethod}
        />
      </div>
      {method === 'direct' && <PortProblem projectRef={project.ref} />}
      <PasswordChoice {...choice} />
      {type && (
        <Files
          key={`${type.id} ${method} ${tenant}`}
          install={type.install}
          files={type.files(server)}
        />
      )}
      <dl className="connect-parameters" aria-label="Parameters">
        {parameters.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <CopyButton text={value} what={name}>
                {value}
              </CopyButton>
            </dd>
          </div>
        ))}
      </dl>
      {replica !== undefined && (
        <Alert variant="neutral" title="A read replica takes reads alone">
          It refuses writes, and shows what was committed a moment ago.
        </Alert>
      )}
      <MethodNote
        method={method}
        direct={computeSizes[project.infra_compute_size].directConnections}
        pool={pooler}
      />
    </div>
  )
}

type MethodNoteProps = {
  method: Method
  direct: number
  pool: { size: number; clients: number } | undefined
}

/** What a way to connect is good for. */
function MethodNote({ method, direct, pool }: MethodNoteProps) {
  if (method === 'transaction')
    return (
      <Alert variant="neutral" title="For functions and many short connections">
        Up to {pool?.clients} clients share {pool?.size} connections, each for one transaction at a
        time. What belongs to a session ends with its transaction: LISTEN, settings made with SET,
        temporary tables. Prepared statements work.
      </Alert>
    )
  if (method === 'session')
    return (
      <Alert variant="neutral" title="For programs that need a session">
        Each client has one of the {direct} connections of this project for as long as it stays, at
        one port for all projects.
      </Alert>
    )
  return (
    <Alert variant="neutral" title="Connections go straight to Postgres">
      Each client is one of {direct} connections of this project. Use the pool of your driver, or
      the transaction pooler where many programs run at once.
    </Alert>
  )
}

/** Puts the password into every string below, encoded as each of them needs it. */
function PasswordChoice({ server, onPassword }: ServerChoice) {
  return (
    <PasswordField
      label="Database password"
      autoComplete="off"
      help={`Replaces ${placeholder} below, encoded as the format needs. It stays in this window.`}
      value={server.password ?? ''}
      onChange={(event) => onPassword(event.target.value)}
    />
  )
}

type ServerChoice = {
  server: Server
  onPassword: (password: string) => void
}

/** Where the project's Postgres is. The password is the person's own to put in: it is stored nowhere readable. */
function useServer(
  project: Pick<Project, 'db_host' | 'db_port' | 'db_user' | 'db_name'>,
  sslEnforced: boolean | undefined,
): ServerChoice {
  const [password, setPassword] = useState('')
  const { db_host: host, db_port: port, db_user: user, db_name: database } = project
  return {
    server: {
      host,
      port: port ?? 5432,
      database,
      user,
      password,
      sslEnforced,
    },
    onPassword: setPassword,
  }
}

type FilesProps = {
  install?: string | undefined
  note?: string | undefined
  files: readonly CodeFile[]
}

/** What to install, and the files, each with a copy button. Give it a key: another example begins with its first file. */
function Files({ install, note, files }: FilesProps) {
  const [open, setOpen] = useState(files[0]?.name ?? '')
  const file = files.find(({ name }) => name === open) ?? files[0]
  return (
    <>
      {install && (
        <div className="labelled">
          <span>Install</span>
          <CodeBlock code={install} language="text" what="install command" />
        </div>
      )}
      {file && (
        <div className="connect-files">
          {files.length > 1 ? (
            <Tabs
              label="Files"
              look="pills"
              tabs={files.map(({ name }) => ({
                id: name,
                label: <span className="mono">{name}</span>,
              }))}
              value={file.name}
              onChange={setOpen}
            />
          ) : (
            <span className="t12 med">{file.name}</span>
          )}
          <CodeBlock code={file.code} language={file.language} what={file.name} />
        </div>
      )}
      {note && <p className="t12 muted">{note}</p>}
    </>
  )
}
