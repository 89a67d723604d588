import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { mount } from "svelte";
import Shell from "./Shell.svelte";
import { isAlone, open, overWorker } from "./lib/channel.svelte";

const place = document.getElementById("studio");
if (place) mount(Shell, { target: place });
if (isAlone) open(overWorker);
else open();
