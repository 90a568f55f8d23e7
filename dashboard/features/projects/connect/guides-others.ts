import { type AppProject, envFile, guide, type Guide, lines } from './guide.ts'
import { clientFile } from './guides-react.ts'

const install = 'npm install @supabase/supabase-js'
const url = 'VITE_PROJECT_URL'
const key = 'VITE_ANON_KEY'

export const nuxt: Guide<AppProject> = guide('nuxt', 'Nuxt', {
  install,
  files: (project) => [
    envFile('.env', 'NUXT_PUBLIC_PROJECT_URL', 'NUXT_PUBLIC_ANON_KEY', project),
    {
      name: 'nuxt.config.ts',
      language: 'js',
      code: lines(
        `export default defineNuxtConfig({`,
        `  // The values come from the environment when the app starts.`,
        `  runtimeConfig: { public: { projectUrl: '', anonKey: '' } },`,
        `})`,
      ),
    },
    {
      name: 'composables/useClient.ts',
      language: 'js',
      code: lines(
        `import { createClient } from '@supabase/supabase-js'`,
        ``,
        `export function useClient() {`,
        `  const { projectUrl, anonKey } = useRuntimeConfig().public`,
        `  return createClient(projectUrl, anonKey)`,
        `}`,
      ),
    },
    {
      name: 'app.vue',
      language: 'js',
      code: lines(
        `<script setup>`,
        `const client = useClient()`,
        `const { data: notes } = await useAsyncData('notes', async () => {`,
        `  const { data } = await client.from('notes').select('id, title')`,
        `  return data ?? []`,
        `})`,
        `</script>`,
        ``,
        `<template>`,
        `  <ul><li v-for="note in notes" :key="note.id">{{ note.title }}</li></ul>`,
        `</template>`,
      ),
    },
  ],
})

export const vue: Guide<AppProject> = guide('vue', 'Vue', {
  install,
  files: (project) => [
    envFile('.env.local', url, key, project),
    clientFile('src/client.js', 'import.meta.env', url, key),
    {
      name: 'src/App.vue',
      language: 'js',
      code: lines(
        `<script setup>`,
        `import { onMounted, ref } from 'vue'`,
        `import { client } from './client.js'`,
        ``,
        `const notes = ref([])`,
        `onMounted(async () => {`,
        `  const { data } = await client.from('notes').select('id, title')`,
        `  notes.value = data ?? []`,
        `})`,
        `</script>`,
        ``,
        `<template>`,
        `  <ul><li v-for="note in notes" :key="note.id">{{ note.title }}</li></ul>`,
        `</template>`,
      ),
    },
  ],
})

export const sveltekit: Guide<AppProject> = guide('sveltekit', 'SvelteKit', {
  install,
  files: (project) => [
    envFile('.env', 'PUBLIC_PROJECT_URL', 'PUBLIC_ANON_KEY', project),
    {
      name: 'src/lib/client.js',
      language: 'js',
      code: lines(
        `import { createClient } from '@supabase/supabase-js'`,
        `import { PUBLIC_ANON_KEY, PUBLIC_PROJECT_URL } from '$env/static/public'`,
        ``,
        `export const client = createClient(PUBLIC_PROJECT_URL, PUBLIC_ANON_KEY)`,
      ),
    },
    {
      name: 'src/routes/+page.server.js',
      language: 'js',
      code: lines(
        `import { client } from '$lib/client.js'`,
        ``,
        `export async function load() {`,
        `  const { data } = await client.from('notes').select('id, title')`,
        `  return { notes: data ?? [] }`,
        `}`,
      ),
    },
    {
      name: 'src/routes/+page.svelte',
      language: 'js',
      code: lines(
        `<script>`,
        `  let { data } = $props()`,
        `</script>`,
        ``,
        `<ul>`,
        `  {#each data.notes as note (note.id)}<li>{note.title}</li>{/each}`,
        `</ul>`,
      ),
    },
  ],
})

export const solid: Guide<AppProject> = guide('solid', 'Solid', {
  install,
  files: (project) => [
    envFile('.env.local', url, key, project),
    clientFile('src/client.js', 'import.meta.env', url, key),
    {
      name: 'src/App.jsx',
      language: 'js',
      code: lines(
        `import { createResource, For } from 'solid-js'`,
        `import { client } from './client.js'`,
        ``,
        `async function readNotes() {`,
        `  const { data } = await client.from('notes').select('id, title')`,
        `  return data ?? []`,
        `}`,
        ``,
        `export default function App() {`,
        `  const [notes] = createResource(readNotes)`,
        `  return <ul><For each={notes()}>{(note) => <li>{note.title}</li>}</For></ul>`,
        `}`,
      ),
    },
  ],
})

export const astro: Guide<AppProject> = guide('astro', 'Astro', {
  install,
  files: (project) => [
    envFile('.env', 'PROJECT_URL', 'ANON_KEY', project),
    clientFile('src/client.ts', 'import.meta.env', 'PROJECT_URL', 'ANON_KEY'),
    {
      name: 'src/pages/index.astro',
      language: 'js',
      code: lines(
        `---`,
        `import { client } from '../client'`,
        ``,
        `const { data } = await client.from('notes').select('id, title')`,
        `---`,
        ``,
        `<ul>`,
        `  {(data ?? []).map(({ title }) => <li>{title}</li>)}`,
        `</ul>`,
      ),
    },
  ],
})
