import { z } from 'zod'
import { features, type Feature } from '#contract/features'
import { Environment, type SettingName } from '#kit/config'
import { commandVariables, firstSettings, settingGroups } from './settings-guide.ts'
import type { Setting, Settings } from './setting-group.ts'

/** What the schema says of each setting: its default, and the values it may have where these are few. */
const schema = z.toJSONSchema(Environment, { io: 'input', unrepresentable: 'any' })

/** The reference of all settings, as Markdown. */
export function settingsPage(): string {
  const all: Settings = Object.assign({}, ...settingGroups.map(({ settings }) => settings))
  const first = firstSettings.flatMap((name) => {
    const setting = all[name]
    return setting ? [row(name, setting)] : []
  })
  return [
    '<!-- Written by `npm run docs:write` from kit/config.ts and docs/build/settings-guide.ts. Change those. -->',
    '# Settings',
    'Settings are environment variables that Plinth reads once, at the start. A wrong value stops the start with one line that names it. An empty variable counts as not set. If a variable begins with `PLINTH_` and is not a setting, the start warns and suggests the nearest name.',
    '## Settings to look at first',
    table(first),
    ...settingGroups.flatMap(({ title, intro, settings }) => [
      `## ${title}`,
      ...(intro === undefined ? [] : [intro]),
      // The keys of these objects are checked by their type.
      table(Object.entries(settings).map(([name, setting]) => row(name as SettingName, setting))),
    ]),
    '## Features that can be turned off',
    'Use these names in `PLINTH_DISABLED_FEATURES`. The dashboard hides each part. If somebody opens its address, the dashboard says that it is turned off.',
    featureTable(),
    `These names are accepted and change nothing, because this version does not have the features that they hide: ${notHere()}.`,
    '## Variables of single commands',
    [
      '| variable | what it is |',
      '|---|---|',
      ...Object.entries(commandVariables).map(([name, about]) => `| \`${name}\` | ${about} |`),
    ].join('\n'),
    '`npx plinth rest` has separate settings: see [the data API alone](operating.md#the-data-api-alone).',
    '',
  ].join('\n\n')
}

const known = Object.entries<Feature>(features)

const featureTable = () =>
  [
    '| name | what it hides | what the server refuses |',
    '|---|---|---|',
    ...known.flatMap(([name, feature]) =>
      'hides' in feature
        ? [`| \`${name}\` | ${feature.hides} | ${feature.refuses ? 'its calls' : ''} |`]
        : [],
    ),
  ].join('\n')

const notHere = () =>
  known.flatMap(([name, feature]) => ('notHere' in feature ? [`\`${name}\``] : [])).join(', ')

const table = (rows: readonly string[]) =>
  ['| variable | default | what it is |', '|---|---|---|', ...rows].join('\n')

function row(name: SettingName, { about, unset }: Setting): string {
  const property = schema.properties?.[name]
  const { default: standard, enum: values } = typeof property === 'object' ? property : {}
  // Every default is a text or a number.
  const text = typeof standard === 'number' ? String(standard) : standard
  const shown = typeof text === 'string' && text !== '' ? `\`${text}\`` : ''
  const choice = values && ` One of ${values.map((value) => `\`${String(value)}\``).join(', ')}.`
  const cells = [`\`${name}\``, unset ?? shown, `${about}${choice ?? ''}`]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
