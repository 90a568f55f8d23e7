import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#contract/api'
import { dataApi } from '#contract/data-api/data-api'
import type { Project } from '#contract/projects/projects'
import { q } from '../../../api/client.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { useShowConnect } from './connect-param.ts'
import { ConnectionTab } from './ConnectionTab.tsx'
import { appGuides } from './guides.ts'
import { mobileGuides } from './guides-mobile.ts'
import { Files } from './Files.tsx'
import type { Guide } from './guide.ts'
import { useServer, type ServerChoice } from './use-server.ts'
import { ormGuides } from './guides-orm.ts'
import { PasswordChoice } from './PasswordChoice.tsx'
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
  const settings = useQuery(q(api.projects.settings, { ref: project.ref }))
  const key = settings.data?.service_api_keys.find(({ tags }) => tags === 'anon')?.api_key
  const app = { url: project.endpoint, anonKey: key ?? 'YOUR-ANON-KEY' }
  const dataApiSettings = useQuery(q(dataApi.config, { ref: project.ref }))
  const isPrivate = dataApiSettings.data?.new_tables === 'private'
  const server = useServer(project)
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
