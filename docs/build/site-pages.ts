/** A page of the site: its file in the repository, its address below that of the site, what the sidebar calls it. */
type Page = { file: string; address: string; title: string }

/** A page of docs/ has the address of its name. */
const page = (name: string, title: string): Page => ({
  file: `docs/${name}.md`,
  address: name,
  title,
})

export const sections: readonly { title: string; pages: readonly Page[] }[] = [
  {
    title: 'Get started',
    pages: [
      { file: 'docs/README.md', address: 'index', title: 'Overview' },
      page('quickstart', 'Quickstart'),
      page('client-libraries', 'Client libraries'),
      page('importing', 'Import from Supabase'),
      page('comparison', 'Comparison and limits'),
      { file: 'CHANGELOG.md', address: 'changelog', title: 'Changelog' },
    ],
  },
  {
    title: 'Operate',
    pages: [
      page('deploy', 'Deploy on a server'),
      page('operating', 'Operating'),
      page('scale', 'Scale'),
      page('kubernetes', 'Kubernetes'),
      page('security', 'Security'),
      { file: 'SECURITY.md', address: 'reporting', title: 'Report a vulnerability' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('settings', 'Settings'),
      page('api', 'Management API'),
      page('compatibility', 'Protocols and their tests'),
    ],
  },
  {
    title: 'Project internals',
    pages: [
      page('architecture', 'Architecture'),
      page('adding-a-feature', 'Adding a feature'),
      { file: 'CONTRIBUTING.md', address: 'contributing', title: 'Contributing' },
      page('words', 'Words'),
      page('look', 'Look and voice'),
      page('two-steps', 'Changes in two steps'),
      { file: 'docs/decisions/README.md', address: 'decisions/index', title: 'Decisions' },
    ],
  },
]

const pages = sections.flatMap(({ pages: some }) => some)

/** Where the site has the files whose address is not their path in docs/. */
export const rewrites: Readonly<Record<string, string>> = {
  ...Object.fromEntries(pages.map(({ file, address }) => [file, `${address}.md`])),
  'docs/decisions/:page': 'decisions/:page',
}

/** The address of a Markdown file of the repository, from the root of the site; undefined when it is no page of it. */
export function addressOf(file: string): string | undefined {
  const decision = /^docs\/(decisions\/\d{4}-[\w-]+)\.md$/.exec(file)?.[1]
  const address = pages.find((one) => one.file === file)?.address ?? decision
  return address === undefined ? undefined : `/${address.replace(/(?:^|(?<=\/))index$/, '')}`
}

export const sidebar = sections.map(({ title, pages: items }) => ({
  text: title,
  items: items.map(({ file, title: text }) => ({ text, link: addressOf(file) ?? '/' })),
}))
