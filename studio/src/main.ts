import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { mount } from "svelte";
import Shell from "./Shell.svelte";
import { open, overWorker } from "./lib/channel.svelte";

const place = document.getElementById("studio");
if (place) mount(Shell, { target: place });
// the folder without a server says so in its page
const isAlone = document.querySelector('meta[name="tilewright"][content="worker"]') !== null;
if (isAlone) open(overWorker);
else open();
