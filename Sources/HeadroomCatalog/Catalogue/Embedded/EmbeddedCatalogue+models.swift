//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/models.catalogue: change that.

extension EmbeddedCatalogue {
    static let models = Text(
        file: "models.catalogue",
        content: #"""
            [ollama]
            name       = Ollama
            what       = Models that were downloaded or created
            path       = ~/.ollama/models
            path.linux = /usr/share/ollama/.ollama/models
            class      = essential
            cost       = Models that were created here are lost; others have to be downloaded again
            source     = https://github.com/ollama/ollama/blob/main/docs/faq.mdx

            [whisper]
            name       = Whisper
            what       = Speech models that Whisper downloaded
            path       = $XDG_CACHE_HOME/whisper
            unit       = file
            class      = lastResort
            cost       = A model is downloaded again when it is next used
            source     = https://github.com/openai/whisper/blob/main/whisper/__init__.py

            [llama-cpp]
            name       = llama.cpp
            what       = Models that llama.cpp downloaded
            path       = $XDG_CACHE_HOME/llama.cpp
            path       = $LLAMA_CACHE
            shape      = *.gguf
            unit       = file
            class      = lastResort
            cost       = A model is downloaded again when it is next used
            source     = https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md

            [gpt4all]
            name       = GPT4All
            what       = Models that GPT4All's Python library downloaded
            path       = $XDG_CACHE_HOME/gpt4all
            unit       = file
            class      = lastResort
            cost       = A model is downloaded again when it is next used
            source     = https://docs.gpt4all.io/gpt4all_python/home.html

            [kaggle]
            name       = Kaggle
            what       = Data sets and models that kagglehub downloaded
            path       = $XDG_CACHE_HOME/kagglehub/datasets
            path       = $XDG_CACHE_HOME/kagglehub/models
            path       = $XDG_CACHE_HOME/kagglehub/competitions
            path       = $XDG_CACHE_HOME/kagglehub/notebooks
            unit       = entry
            class      = lastResort
            cost       = They are downloaded again when they are next used
            source     = https://github.com/Kaggle/kagglehub

            [modelscope]
            name       = ModelScope
            what       = Models and data sets that ModelScope downloaded
            path       = $XDG_CACHE_HOME/modelscope/hub
            unit       = entry
            class      = lastResort
            cost       = They are downloaded again when they are next used
            source     = https://modelscope.cn/docs/models/download

            [clip]
            name       = CLIP
            what       = Models that CLIP and open_clip downloaded
            path       = $XDG_CACHE_HOME/clip
            unit       = entry
            class      = lastResort
            cost       = A model is downloaded again when it is next used
            source     = https://github.com/openai/CLIP/blob/main/clip/clip.py

            [keras]
            name       = Keras
            what       = Models and data sets that Keras downloaded
            path       = ~/.keras/models
            path       = ~/.keras/datasets
            unit       = entry
            class      = lastResort
            cost       = They are downloaded again when they are next used
            source     = https://keras.io/api/utils/python_utils/#getfile-function

            [wandb]
            name       = Weights & Biases
            what       = Artifacts that were downloaded or are going to be uploaded
            path       = $XDG_CACHE_HOME/wandb/artifacts
            by         = command
            clean      = wandb artifact cache cleanup 1GB
            cost       = Artifacts are downloaded again when they are next used
            source     = https://docs.wandb.ai/ref/cli/wandb-artifact/wandb-artifact-cache/wandb-artifact-cache-cleanup

            [triton]
            name       = Triton
            what       = Kernels that Triton compiled for the graphics card
            path       = ~/.triton/cache
            path       = $TRITON_CACHE_DIR
            shape      = [A-Z2-7]{52} [0-9a-f]{64}
            unit       = entry
            cost       = Kernels are compiled again when they are next used
            source     = https://github.com/triton-lang/triton/blob/main/python/triton/knobs.py

            [torch-extensions]
            name       = PyTorch extensions
            what       = Extensions and kernels that PyTorch compiled
            path       = $XDG_CACHE_HOME/torch_extensions
            path       = $XDG_CACHE_HOME/torch/kernels
            unit       = entry
            cost       = They are compiled again when they are next used
            source     = https://docs.pytorch.org/docs/stable/cpp_extension.html

            [vllm]
            name       = vLLM
            what       = Graphs that vLLM compiled, and media that it downloaded
            path       = $XDG_CACHE_HOME/vllm
            unit       = entry
            cost       = The next start of a model takes longer, once
            source     = https://docs.vllm.ai/en/latest/configuration/env_vars.html

            [matplotlib]
            name       = Matplotlib
            what       = The list of fonts, and rendered formulas
            path       = $XDG_CACHE_HOME/matplotlib
            unit       = entry
            cost       = The next plot takes longer, once
            source     = https://matplotlib.org/stable/install/environment_variables_faq.html

            [renv]
            name       = renv
            what       = R packages that projects share
            path       = $XDG_CACHE_HOME/R/renv/cache/v*/R-*/*
            path       = $XDG_CACHE_HOME/R/renv/cache/v*/*/R-*/*
            path.macos = ~/Library/Caches/org.R-project.R/R/renv/cache/v*/R-*/*
            path.macos = ~/Library/Caches/org.R-project.R/R/renv/cache/v*/*/R-*/*
            unit       = entry
            class      = lastResort
            cost       = Projects do not run until renv::restore() has installed the packages again
            source     = https://rstudio.github.io/renv/articles/package-install.html

            [renv-sources]
            name       = renv sources
            what       = Archives of R packages that renv downloaded
            path       = $XDG_CACHE_HOME/R/renv/source
            path       = $XDG_CACHE_HOME/R/renv/binary
            path       = $XDG_CACHE_HOME/R/renv/index
            unit       = entry
            cost       = Archives are downloaded again when packages are next installed
            source     = https://rstudio.github.io/renv/reference/paths.html

            [pak]
            name       = pak
            what       = R packages and lists of packages that pak downloaded
            path       = $XDG_CACHE_HOME/R/pkgcache
            path.macos = ~/Library/Caches/org.R-project.R/R/pkgcache
            unit       = entry
            cost       = Packages are downloaded again when they are next installed
            source     = https://pak.r-lib.org/reference/cache.html

            [julia]
            name       = Julia compiled code
            what       = Packages that Julia precompiled
            path       = ~/.julia/compiled
            unit       = entry
            cost       = Packages are precompiled again when they are next used
            source     = https://docs.julialang.org/en/v1/manual/environment-variables/#JULIA_DEPOT_PATH

            [julia-packages]
            name       = Julia packages
            what       = Packages and binaries that environments share
            path       = ~/.julia/packages
            path       = ~/.julia/artifacts
            unit       = entry
            class      = lastResort
            cost       = Environments do not work until Pkg.instantiate() has downloaded them again
            source     = https://pkgdocs.julialang.org/v1/api/#Pkg.gc

            [julia-clones]
            name       = Julia clones
            what       = Repositories of packages that Pkg cloned
            path       = ~/.julia/clones
            unit       = entry
            class      = lastResort
            clones     = yes
            cost       = Repositories are cloned again when such a package is next added or updated
            source     = https://pkgdocs.julialang.org/v1/api/#Pkg.gc
            """#)
}
