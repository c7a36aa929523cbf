/** The pages about many files, as the list and the rail show them. */
import Brain from "@lucide/svelte/icons/brain";
import Folders from "@lucide/svelte/icons/folders";
import SearchCheck from "@lucide/svelte/icons/search-check";
import WandSparkles from "@lucide/svelte/icons/wand-sparkles";
import { m } from "../../../messages";
import type { Page } from "../desk.svelte";

export const PAGES: readonly { page: Exclude<Page, "file">; label: () => string; Icon: typeof Brain }[] = [
  { page: "skills", label: m.page_skills, Icon: WandSparkles },
  { page: "memory", label: m.page_memory, Icon: Brain },
  { page: "why", label: m.page_why, Icon: SearchCheck },
  { page: "projects", label: m.page_projects, Icon: Folders },
];
